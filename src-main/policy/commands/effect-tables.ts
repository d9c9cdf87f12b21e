import { words } from '../../base/text.ts';

/**
 * Effects of programs that a user should know before they run, in addition to what every program may do. The names are
 * as `programNames` returns them.
 */

/**
 * Built-in commands of the shell that are harmless whatever they are given. Others aren't: `test -v 'a[$(id)]'` and
 * `printf -v` run what is in the brackets, and `export`, `alias` and `set` change what the rest of the line means.
 */
export const HARMLESS = words('cd pushd pwd echo true false :');

/** These words are not commands: what follows is text, not a program. */
export const SYNTAX = words('for case esac');

/** Words that may stand before a command. */
export const RESERVED = words('! { } if then elif else fi while until do done');

/** These run their arguments as a command, and may do more by their options (`script OUT`, `strace -o OUT`). */
export const WRAPPERS = words(
  'env nohup nice ionice chrt taskset timeout stdbuf setsid script unbuffer command builtin exec busybox toybox caffeinate watch entr ' +
    'flock strace ltrace xvfb-run dotenv cross-env direnv faketime xargs parallel time coproc function trap select',
);
/** The command that these run gets its file arguments from elsewhere. */
export const TAKES_FILES_FROM_INPUT = words('xargs parallel');
/** The command that these run may go on when they have ended. */
export const DETACHES = words('coproc setsid');
export const POWER = words('sudo su doas pkexec runuser run0 setpriv gosu su-exec chroot unshare nsenter');

export const SHELLS = words('sh bash dash zsh fish ksh mksh csh tcsh ash rbash');
export const INTERPRETERS = words(
  'python pypy node nodejs deno bun tsx ts-node perl ruby php lua osascript pwsh powershell rscript tclsh',
);
export const EVALUATES = words('eval source .');

export const DELETES = words('rm rmdir unlink shred srm wipe truncate trash trash-put rimraf del erase rd');
export const DISKS = words(
  'mkfs mkswap wipefs blkdiscard fdisk sfdisk gdisk sgdisk parted diskutil diskpart format cryptsetup',
);
export const CHANGES_OPERANDS = words('mv touch mkdir tee chmod chown chgrp ln install setfacl chattr patch sponge');
export const CHANGES_LAST_OPERAND = words('cp');
/** The first operand of these is not a file. */
export const FIRST_IS_NO_FILE = words('chmod chown chgrp');

export const FETCHES = words('curl wget wget2 aria2c http https httpie xh curlie axel lynx w3m');
export const SENDS_FILES = words('scp sftp ftp lftp rsync rclone nc ncat netcat socat ssh telnet s3cmd gsutil croc');
export const MAILS = words('mail mailx sendmail msmtp mutt neomutt swaks ssmtp');
export const ENDS_PROCESSES = words('kill pkill killall xkill taskkill');
export const SYSTEM = words(
  'shutdown reboot halt poweroff systemctl launchctl service crontab at schtasks mount umount useradd userdel usermod groupadd passwd ' +
    'chpasswd visudo iptables nft ufw sysctl modprobe insmod rmmod apt apt-get dpkg rpm dnf yum zypper pacman apk snap flatpak winget choco ' +
    'defaults dscl scutil csrutil reg setx bcdedit',
);

/** For each program, the sub-commands that install packages. Those may bring scripts that run at once. */
export const INSTALLS: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: words('install i in ins add ci install-test it update up upgrade rebuild link exec create init'),
  pnpm: words('install i add update up rebuild dlx create'),
  yarn: words('install add up upgrade dlx create'),
  bun: words('install i add update create x'),
  pip: words('install wheel'),
  pipx: words('install run'),
  uv: words('add sync pip tool'),
  poetry: words('install add update'),
  gem: words('install update'),
  bundle: words('install update add'),
  cargo: words('install'),
  go: words('install'),
  composer: words('install require update create-project'),
  brew: words('install reinstall upgrade'),
  conda: words('install create update'),
};
export const RUNS_PACKAGE = words('npx bunx pnpx uvx');

/** For each program, the sub-commands that publish something. */
export const PUBLISHES: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: words('publish unpublish deprecate'),
  pnpm: words('publish'),
  yarn: words('publish'),
  bun: words('publish'),
  cargo: words('publish yank'),
  gem: words('push yank'),
  poetry: words('publish'),
  twine: words('upload'),
  docker: words('push'),
  podman: words('push'),
  vercel: words('deploy'),
  netlify: words('deploy'),
};

/** The sub-commands of git by their effects. */
export const GIT = {
  changes: words(
    'add commit merge rebase cherry-pick revert tag branch switch stash mv init config apply am bisect worktree notes checkout restore',
  ),
  fetches: words('fetch pull clone submodule'),
} as const;
