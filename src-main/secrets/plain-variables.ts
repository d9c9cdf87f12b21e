import { isSecretValue } from './secret-shapes.ts';

/** Variables that describe the working environment. The content of any other is unknown. */
const PLAIN = new Set(
  `PATH HOME LANG LANGUAGE USER LOGNAME SHELL TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION COLUMNS LINES TZ PWD OLDPWD EDITOR VISUAL
  PAGER BROWSER HOSTNAME HOSTTYPE OSTYPE MACHTYPE SHLVL TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY DESKTOP_SESSION NO_COLOR FORCE_COLOR CI
  NODE_ENV USERNAME USERPROFILE USERDOMAIN HOMEDRIVE HOMEPATH COMPUTERNAME OS PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR APPDATA
  LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS JAVA_HOME GOPATH GOROOT CARGO_HOME VIRTUAL_ENV
  CONDA_PREFIX NVM_DIR`.split(/\s+/),
);
const PLAIN_FAMILY = /^(?:LC_[A-Z]+|XDG_[A-Z_]+)$/;

/** Whether a variable is read without a question: its name is on the list, and its value does not look like a secret. */
export function isPlainVariable(name: string, value: string): boolean {
  // Names are case-insensitive on Windows (`Path`); elsewhere another spelling is another variable.
  const listed = process.platform === 'win32' ? name.toUpperCase() : name;
  return (PLAIN.has(listed) || PLAIN_FAMILY.test(listed)) && !isSecretValue(value);
}
