import { asArray } from './dbus-codec.ts';
import { type KeychainTrouble, KeychainUnavailable } from './keychain.ts';
import { BusError, SessionBus, sessionBusSocket } from './session-bus.ts';

const ANSWER_WITHIN_MS = 5000;
/** Long enough to type a password. */
const UNLOCK_WITHIN_MS = 60_000;

const SERVICE = 'org.freedesktop.secrets';
const SERVICE_PATH = '/org/freedesktop/secrets';
const INTERFACE = 'org.freedesktop.Secret.Service';

/**
 * Asks the Secret Service (gnome-keyring, KWallet, KeePassXC) what would be risky to ask the native module: that blocks
 * the process, even its exit, until the bus, the service or an unlock dialogue answers. Here every wait has a limit.
 * Source: freedesktop.org Secret Service API 0.2.
 */
export class SecretService {
  readonly #bus: SessionBus;
  readonly #deadline: Deadline;
  readonly #onDialogue: () => void;

  private constructor(bus: SessionBus, deadline: Deadline, onDialogue: () => void) {
    this.#bus = bus;
    this.#deadline = deadline;
    this.#onDialogue = onDialogue;
  }

  /**
   * Runs `ask` on a new connection. `onDialogue` is called when the system is about to ask for the password. Throws
   * `KeychainUnavailable`.
   */
  static async with<T>(
    environment: Readonly<Record<string, string | undefined>>,
    onDialogue: () => void,
    ask: (service: SecretService) => Promise<T>,
  ): Promise<T> {
    const socket = sessionBusSocket(environment);
    if (socket === undefined) throw new KeychainUnavailable('absent', 'there is no session bus to reach it by');
    const deadline = new Deadline(ANSWER_WITHIN_MS);
    let bus: SessionBus | undefined;
    try {
      bus = await SessionBus.open(socket, deadline.signal);
      return await ask(new SecretService(bus, deadline, onDialogue));
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      deadline.clear();
      bus?.close();
    }
  }

  /** Whether the entry exists, and can then be read. It unlocks the keychain if necessary. */
  async hasEntry(service: string, account: string): Promise<boolean> {
    const attributes = [
      ['service', service],
      ['username', account],
    ];
    const [unlocked, locked] = await this.#call('SearchItems', 'a{ss}', [attributes]);
    if (asArray(unlocked).length > 0) return true;
    if (asArray(locked).length === 0) return false;
    await this.#unlock(asArray(locked));
    return true;
  }

  /** The process id of the program that answers. */
  async processId(): Promise<number> {
    const [pid] = await this.#bus.call({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'GetConnectionUnixProcessID',
      signature: 's',
      body: [SERVICE],
    });
    return Number(pid);
  }

  /** Makes sure that a new entry can be stored, and unlocks the keychain if necessary. */
  async prepareForWriting(): Promise<void> {
    const [collection] = await this.#call('ReadAlias', 's', ['default']);
    if (collection === '/')
      throw new KeychainUnavailable(
        'failed',
        "it has no default keyring; create one in your system's password manager",
      );
    const [isLocked] = await this.#bus.call({
      destination: SERVICE,
      path: String(collection),
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: ['org.freedesktop.Secret.Collection', 'Locked'],
    });
    if (isLocked === true) await this.#unlock([collection]);
  }

  async #unlock(objects: readonly unknown[]): Promise<void> {
    const [, prompt] = await this.#call('Unlock', 'ao', [objects]);
    if (prompt === '/') return;
    this.#onDialogue();
    this.#deadline.extend(UNLOCK_WITHIN_MS);
    await this.#bus.call({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'AddMatch',
      signature: 's',
      body: [`type='signal',interface='org.freedesktop.Secret.Prompt',path='${String(prompt)}'`],
    });
    const completed = this.#bus.signal(String(prompt), 'Completed');
    const [[dismissed]] = await Promise.all([
      completed,
      this.#bus.call({
        destination: SERVICE,
        path: String(prompt),
        interface: 'org.freedesktop.Secret.Prompt',
        member: 'Prompt',
        signature: 's',
        body: [''],
      }),
    ]);
    if (dismissed === true) throw new KeychainUnavailable('locked', 'it is locked and was not unlocked');
  }

  #call(member: string, signature: string, body: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#bus.call({ destination: SERVICE, path: SERVICE_PATH, interface: INTERFACE, member, signature, body });
  }
}

class DeadlinePassed extends Error {}

/** A time limit that can be extended. */
class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isExtended = false;

  constructor(milliseconds: number) {
    this.#start(milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(milliseconds: number): void {
    this.#isExtended = true;
    this.#start(milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #start(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(this.#passed(milliseconds)), milliseconds);
  }

  #passed(milliseconds: number): Error {
    return this.#isExtended
      ? new KeychainUnavailable('locked', 'it is locked and was not unlocked in time')
      : new DeadlinePassed(`it did not answer within ${milliseconds / 1000} s`);
  }
}

const busErrors: Readonly<Record<string, readonly [KeychainTrouble, string]>> = {
  'org.freedesktop.DBus.Error.ServiceUnknown': ['absent', 'no keychain service is installed'],
  'org.freedesktop.DBus.Error.NameHasNoOwner': ['absent', 'no keychain service is running'],
  'org.freedesktop.DBus.Error.NoReply': ['no_answer', 'it did not answer'],
  'org.freedesktop.DBus.Error.TimedOut': ['no_answer', 'it did not start in time'],
  'org.freedesktop.Secret.Error.IsLocked': ['locked', 'it is locked'],
};

function asUnavailable(error: unknown): KeychainUnavailable {
  if (error instanceof KeychainUnavailable) return error;
  if (error instanceof DeadlinePassed) return new KeychainUnavailable('no_answer', error.message);
  if (error instanceof BusError) {
    const [reason, text] = busErrors[error.code] ?? ['failed', `it answered ${error.code}`];
    const isStartFailure = error.code.startsWith('org.freedesktop.DBus.Error.Spawn.');
    return new KeychainUnavailable(
      isStartFailure ? 'absent' : reason,
      isStartFailure ? 'it could not be started' : text,
    );
  }
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    return new KeychainUnavailable('absent', `the session bus cannot be reached (${String(error.code)})`);
  return new KeychainUnavailable('failed', 'the session bus answered in a way that is not understood');
}
