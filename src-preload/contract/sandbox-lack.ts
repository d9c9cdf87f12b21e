/** Why commands can't be held in a sandbox. To add a reason, add a member and its sentences below. */
export type SandboxLack =
  /** The user wants none in this run. */
  | { readonly code: 'off' }
  /** There is none for this system. */
  | { readonly code: 'system' }
  | { readonly code: 'no_bubblewrap' }
  /** AppArmor lets only programs with a profile create user namespaces. */
  | { readonly code: 'apparmor' }
  /** bubblewrap doesn't work here. `said` is what it said, which may be nothing. */
  | { readonly code: 'refused'; readonly said: string }
  /** A root contains the home folder or folders of the system. */
  | { readonly code: 'wide_root' };

type Code = SandboxLack['code'];

const WHY: Readonly<Record<Code, string>> = {
  off: 'The sandbox for commands is off in this run.',
  system: 'Steward has no sandbox for commands on this system.',
  no_bubblewrap: 'Commands can’t be held in a sandbox, because bubblewrap is not installed.',
  apparmor: 'Commands can’t be held in a sandbox, because AppArmor keeps bubblewrap from creating user namespaces.',
  refused: 'Commands can’t be held in a sandbox, because bubblewrap doesn’t work on this system.',
  wide_root:
    'Commands can’t be held in a sandbox, because one of the folders contains your home folder or folders of the system.',
};

const REMEDIES: Readonly<Partial<Record<Code, string>>> = {
  no_bubblewrap: 'Install the package bubblewrap and restart Steward.',
  apparmor:
    'On Ubuntu, install the package apparmor-profiles, switch its profile bwrap-userns-restrict on (the installation manual says how), and restart Steward.',
};

const GAIN = 'Then commands that only look need no question, nor do others where you let Steward work freely.';

/** Whether it can be changed on this computer, so that the user should hear of it. */
export function isRemediable({ code }: SandboxLack): boolean {
  return code in REMEDIES || code === 'refused';
}

/** Why there is no sandbox, what helps, and what that brings. */
export function sandboxLackText(lack: SandboxLack): string {
  const said = lack.code === 'refused' && lack.said !== '' ? ` It says: ${lack.said}` : '';
  const remedy = REMEDIES[lack.code];
  return `${WHY[lack.code]}${said}${remedy === undefined ? '' : ` ${remedy} ${GAIN}`}`;
}
