/**
 * What the sandbox probably refused a command, according to what it printed. That text is untrusted, so only
 * these kinds exist, and `what` is a path, a host or an address that is shown as code. It permits nothing.
 */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly what?: string;
}

/** What follows *probably*. Two forms where something can be named: behind the first it stands. */
const WORDS = {
  write: ['wanted to write', 'wanted to write somewhere else'],
  kept: ['wanted to change the protected', 'wanted to change what is protected'],
  secret: ['wanted to open the secret file', 'wanted to open a secret file'],
  absent: ['wanted to open the hidden', 'wanted to open what is hidden'],
  network: ['needs the network:', 'needs the network'],
  service: ['needs a service of this computer:', 'needs a service of this computer'],
  socket: ['needs the local socket', 'needs a local socket'],
  device: ['needs the device', 'needs a device'],
  space: ['needs more room for', 'needs more room for temporary files'],
  docker: 'needs the Docker socket',
  agent: 'needs the agent that keeps keys',
  bus: 'needs D-Bus (services of the system, the keychain)',
  display: 'needs the display',
  rights: 'needs rights that no command in the sandbox has',
} as const satisfies Record<string, string | readonly [named: string, unnamed: string]>;

export type RefusalKind = keyof typeof WORDS;

/** The words, and what is shown as code behind them. Undefined if another version wrote a kind of its own. */
export function refusalWords({ kind, what }: Refusal): { readonly text: string; readonly code?: string } | undefined {
  if (!Object.hasOwn(WORDS, kind)) return undefined;
  const words = WORDS[kind];
  if (typeof words === 'string') return { text: words };
  const [named, unnamed] = words;
  return what === undefined ? { text: unnamed } : { text: named, code: what };
}
