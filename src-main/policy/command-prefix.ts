/**
 * Which commands a standing rule may be offered for, and by which first words. A rule says "commands that begin with …", so
 * nothing is offered where the words that follow could be another program.
 */

/** Run what their arguments, their input or a file says, or hand power on. */
const LAUNCHERS = words(`
  sh bash dash zsh fish ksh mksh csh tcsh ash rbash busybox toybox cmd powershell pwsh wsl
  node nodejs deno bun python pypy ruby perl php lua luajit tclsh wish expect rscript julia groovy scala jshell java irb ghci
  osascript awk gawk mawk nawk sed gsed ed ex vi vim nvim view emacs nano less more man
  sudo su doas pkexec runuser run0 env nohup nice ionice chrt taskset time timeout stdbuf setsid setpriv script unbuffer
  chroot unshare nsenter flock watch entr xargs parallel exec eval source . command builtin coproc trap alias export set
  ssh scp sftp rsync mosh telnet nc ncat netcat socat npx pnpx bunx uvx pipx tsx ts-node start open xdg-open
  dc m4 gnuplot octave sqlite3 psql mysql mariadb mongosh redis-cli lftp zip cpio tcpdump cmake ip nodemon watchexec pm2 ansible
  systemd-run at batch crontab screen tmux gdb lldb strace ltrace valgrind rundll32 mshta wscript cscript forfiles
`);

/**
 * Built into the shell and able to evaluate their arguments once more: `test -v 'a[$(date)]'` runs `date`, quotes or not.
 */
const EVALUATING_BUILTINS = words(`
  test [ let unset declare typeset local readonly read printf mapfile readarray wait getopts enable bind complete compgen
  compopt jobs fc hash history shopt
`);

/** Destroy, overwrite, fetch or stop; a longer argument list makes them do it elsewhere. */
const NEVER_STANDING = words(`
  rm rmdir unlink shred mv cp dd ln tee truncate install chmod chown chgrp chattr setfacl mkfs mount umount fdisk
  kill pkill killall shutdown reboot halt poweroff systemctl service launchctl reg schtasks net
  curl wget aria2c http https ftp mail sendmail msmtp del erase rd move copy xcopy robocopy format takeown icacls apt-get dpkg rpm dnf yum pacman snap flatpak
`);

/** Program → how many words name what it does; `except`: sub-commands that run, install, publish or configure anything. */
interface SubcommandProgram {
  readonly depth: number;
  /** First word of a sub-command that has sub-commands of its own. */
  readonly deeper?: ReadonlySet<string>;
  readonly except: ReadonlySet<string>;
}

const PACKAGE_EXCEPT = words(
  'exec x dlx create init install i add update upgrade link publish config set explore pkg global',
);

const SUBCOMMAND_PROGRAMS: Readonly<Record<string, SubcommandProgram>> = {
  git: {
    depth: 1,
    except: words(
      'config bisect submodule rebase filter-branch filter-repo difftool mergetool clone fetch pull push ls-remote archive ' +
        'remote clean reset send-email daemon instaweb help hook maintenance credential upload-pack receive-pack',
    ),
  },
  npm: { depth: 1, deeper: words('run run-script'), except: PACKAGE_EXCEPT },
  pnpm: { depth: 1, deeper: words('run'), except: PACKAGE_EXCEPT },
  yarn: { depth: 1, deeper: words('run workspace'), except: new Set([...PACKAGE_EXCEPT, 'workspace', 'node']) },
  cargo: { depth: 1, except: words('install run r add publish login config') },
  go: { depth: 1, except: words('run install get generate tool env') },
  dotnet: { depth: 1, except: words('run exec tool new add nuget') },
  docker: containerProgram(),
  podman: containerProgram(),
  kubectl: {
    depth: 1,
    except: words('exec run debug cp apply create delete edit replace patch attach port-forward proxy config plugin'),
  },
  helm: { depth: 1, except: words('install upgrade uninstall plugin') },
  terraform: { depth: 1, except: words('apply destroy console import state') },
  gh: { depth: 2, except: words('api alias extension auth config codespace ssh-key gpg-key secret') },
  pip: { depth: 1, except: words('install uninstall download wheel config') },
  brew: { depth: 1, except: words('install upgrade uninstall reinstall tap services edit') },
  apt: { depth: 1, except: words('install remove purge upgrade full-upgrade edit-sources') },
};

const PACKAGE_ESCAPE = /^(?:--(?:script-shell|prefix|dir|cwd|node-options)(?:=.*)?|-C.*)$/;

/** Options by which these programs run another one or write a file, also when they follow allowed words. */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(?:-x|-X|--exec|--exec-batch)/,
  git: /^(?:-c|-O.*|--exec-path.*|--config-env.*|--upload-pack.*|--receive-pack.*|--exec.*|--ext-diff|--textconv|--output.*|--open-files-in-pager.*)$/,
  rg: /^--(?:pre|hostname-bin)(?:$|=|-)/,
  sort: /^(?:-o.*|--output.*|--compress-program.*)$/,
  tar: /^(?:-I.*|-F.*|--to-command.*|--checkpoint-action.*|--use-compress-program.*|--rsh-command.*|--info-script.*|--new-volume-script.*)$/,
  make: /^(?:-[a-zA-Z]*[fCI].*|--file.*|--makefile.*|--directory.*|--eval.*|.*=.*)$/,
  npm: PACKAGE_ESCAPE,
  pnpm: PACKAGE_ESCAPE,
  yarn: PACKAGE_ESCAPE,
  cargo: /^--config.*$/,
  go: /^--?(?:exec|toolexec|vettool|modfile|overlay)(?:=.*)?$/,
  pytest: /^(?:-p|-c|--rootdir.*|--confcutdir.*|--import-mode.*)$/,
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

function containerProgram(): SubcommandProgram {
  return {
    depth: 1,
    deeper: words('container image network volume system'),
    except: words(
      'run exec create build buildx compose cp plugin login push load import context swarm stack service commit rm rmi',
    ),
  };
}

/** `/usr/bin/python3.12` → `python`, `Git.EXE` → `git`. */
function programName(word: string): string {
  const base = word.split(/[\\/]/).at(-1) ?? '';
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
  return name.length > 1 ? name.replace(/[-_]?\d[\d.]*w?$/, '') || name : name;
}

/** The first words that a rule may be made of, or `null` where no rule should stand for the like of this command. */
export function offeredCommandPrefix(argv: readonly string[]): readonly string[] | null {
  const [program] = argv;
  if (program === undefined || program === '') return null;
  // Which file a relative path starts depends on the folder, and tools can write there.
  if (/[\\/]/.test(program) && !/^(?:\/|[a-z]:[\\/])/i.test(program)) return null;
  const name = programName(program);
  if (LAUNCHERS.has(name) || EVALUATING_BUILTINS.has(name) || NEVER_STANDING.has(name)) return null;
  if (argv.some((word) => hasUnseenCharacters(word)) || escapesPrefix(argv, 1)) return null;
  const known = SUBCOMMAND_PROGRAMS[name];
  return known === undefined ? [...argv] : subcommandPrefix(argv, known);
}

function subcommandPrefix(
  argv: readonly string[],
  { depth, deeper, except }: SubcommandProgram,
): readonly string[] | null {
  const first = argv[1];
  if (first === undefined) return null;
  const prefix = argv.slice(0, 1 + depth + (deeper?.has(first) ? 1 : 0));
  const subcommands = prefix.slice(1);
  const expected = depth + (deeper?.has(first) ? 1 : 0);
  if (subcommands.length < expected) return null;
  return subcommands.every((word) => /^[a-z][\w:.-]*$/i.test(word) && !except.has(word.toLowerCase())) ? prefix : null;
}

/** Whether the words from `from` on make the program run another one or write elsewhere, whatever the words before say. */
export function escapesPrefix(argv: readonly string[], from: number): boolean {
  const escaping = ESCAPES[programName(argv[0] ?? '')];
  return escaping !== undefined && argv.slice(from).some((word) => escaping.test(word));
}

function hasUnseenCharacters(word: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(word);
}
