import { words } from '../../base/text.ts';

/**
 * Whether a command line brings in text from outside this machine: by a program or sub-command that fetches, or by an
 * address in it. Words are judged in any position, so that `sudo curl`, `xargs wget` and `bash -c "git pull"` count.
 * The answer sets a mark for the policy and is not a barrier: it can be evaded. When in doubt it is yes, except for
 * everyday commands (`npm test`, `git status`). Source: design section 4 ("Marks on the context").
 */
export function bringsOutsideText(line: string): boolean {
  if (line.length > MAX_JUDGED_LENGTH || ADDRESS.test(line)) return true;
  return simpleCommands(line).some((command) => {
    const programs = command.map(programNames);
    const first = programs.find((names) => !names.some((name) => WRAPPERS.has(name) || /^(?:-.*)?$/.test(name))) ?? [];
    return (
      programs.some((names) => names.some((name) => FETCHERS.has(name))) ||
      first.some((name) => FETCHERS_IF_FIRST.has(name)) ||
      hasFetchingSubcommand(command, programs)
    );
  });
}

/**
 * The limit in characters. Most systems refuse longer lines, and checking one would block everything for a second per
 * megabyte.
 */
const MAX_JUDGED_LENGTH = 250_000;

/** Matches a URL, bash's own sockets, and `git@host:path` as used by git, scp and rsync. */
const ADDRESS =
  /(?:https?|ftps?|sftp|ssh|git|wss?|rsync|s3|gs):\/\/|\/dev\/(?:tcp|udp)\/|(?:^|[\s"'=])[\w.-]+@[\w.-]+:/i;

/** The output or the files of these programs come from the network. */
const FETCHERS = words(`
  curl wget wget2 aria2c axel httpie xh curlie lwp-request lynx w3m elinks ssh scp sftp ftp tftp lftp mosh telnet rsh nc ncat netcat
  socat websocat wscat grpcurl rclone s3cmd gsutil gcloud doctl flyctl
  gh glab hub yt-dlp youtube-dl fetchmail getmail mbsync offlineimap himalaya mutt neomutt dig nslookup whois drill
  uvx pnpx dlx bitsadmin invoke-webrequest invoke-restmethod iwr irm start-bitstransfer
`);

/** These are also everyday words and folder names, so they count only at the start of a command. */
const FETCHERS_IF_FIRST = words('http https links mail host finger aws az heroku vercel netlify kubectl helm');
/** Wrappers may precede the program, and so may numbers and options (`timeout 5`, `sudo -E`). */
const WRAPPERS = words('sudo doas env time nohup nice timeout xargs exec command watch if then else do while until !');

const INSTALLS = words('install i add ci update up upgrade create init view info show search outdated audit');
const SYSTEM_INSTALLS = words(
  'install reinstall update upgrade full-upgrade dist-upgrade download source search tap fetch refresh',
);
const IMAGES = words('pull push run search login create');

/** The longest path that systems accept. A longer word names no program. */
const MAX_PATH_LENGTH = 4096;

/** The sub-commands of each program that fetch. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words('clone fetch pull push ls-remote submodule lfs svn send-email'),
  svn: words('checkout co update up log info list ls cat export switch'),
  hg: words('clone pull incoming in identify'),
  npm: INSTALLS,
  pnpm: INSTALLS,
  yarn: INSTALLS,
  bun: INSTALLS,
  deno: words('add install cache'),
  npx: words('-y --yes -p --package'),
  bunx: words('-y --yes -p --package'),
  pip: words('install download search index wheel'),
  pipx: words('install run upgrade inject'),
  uv: words('install add sync lock download upgrade'),
  poetry: words('install add update lock search'),
  conda: words('install create update search'),
  mamba: words('install create update search'),
  cargo: words('install add update fetch search publish'),
  go: words('get download'),
  gem: words('install update search fetch'),
  bundle: words('install update add'),
  composer: words('install update require show search create-project'),
  dotnet: words('restore add nuget tool'),
  docker: IMAGES,
  podman: IMAGES,
  brew: new Set([...SYSTEM_INSTALLS, 'info']),
  apt: SYSTEM_INSTALLS,
  'apt-get': SYSTEM_INSTALLS,
  dnf: SYSTEM_INSTALLS,
  yum: SYSTEM_INSTALLS,
  zypper: SYSTEM_INSTALLS,
  apk: new Set([...SYSTEM_INSTALLS, 'add']),
  pacman: words('-s -sy -syu -syyu -ss'),
  snap: SYSTEM_INSTALLS,
  flatpak: SYSTEM_INSTALLS,
  winget: SYSTEM_INSTALLS,
  choco: SYSTEM_INSTALLS,
  openssl: words('s_client ocsp'),
  certutil: words('-urlcache'),
};

/** A sub-command is searched in all following words, because options with values may precede it (`git -C app pull`). */
function hasFetchingSubcommand(command: readonly string[], programs: readonly (readonly string[])[]): boolean {
  const behind = new Set<string>();
  let isOnlyOptions = true;
  for (const [at, word] of [...command.entries()].reverse()) {
    for (const name of programs[at] ?? []) {
      // Without a sub-command, yarn installs the dependencies in package.json.
      if (name === 'yarn' && isOnlyOptions) return true;
      if (Object.hasOwn(SUBCOMMANDS, name) && [...(SUBCOMMANDS[name] ?? [])].some((it) => behind.has(it))) return true;
    }
    behind.add(word.toLowerCase());
    isOnlyOptions &&= word.startsWith('-');
  }
  return false;
}

/** The words of each command of a line. A quoted text with blanks may be a message or another command line. */
function simpleCommands(line: string): string[][] {
  const quotedLines: string[] = [];
  const unquoted = line.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
    const quoted = double ?? single ?? '';
    if (!/\s/.test(quoted)) return quoted;
    quotedLines.push(quoted);
    return '_';
  });
  return [unquoted, ...quotedLines]
    .flatMap((part) => part.split(/[;&|\n\r(){}<>`]/))
    .map((command) => command.split(/[\s"',$[\]]+/).filter((word) => word !== '' && !/^\w+=/.test(word)))
    .filter((command) => command.length > 0);
}

/**
 * The names that a word may have as a program: `pip` for `/usr/bin/pip3.11`, `curl` for `CURL.EXE`, `url` (as a Windows
 * path) and `curl` (in a shell) for `c\url`.
 */
function programNames(word: string): readonly string[] {
  if (word.length > MAX_PATH_LENGTH) return [];
  const ends = [word.split(/[\\/]/).at(-1) ?? '', word.replaceAll('\\', '').split('/').at(-1) ?? ''];
  return ends.flatMap((end) => {
    const name = end.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
    return [name, name.replace(/(?<![\d.])[\d.]+$/, '')];
  });
}
