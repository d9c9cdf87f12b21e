import { readDotEnv } from './dot-env.ts';
import { type Keychain, type KeychainTrouble, KeychainUnavailable } from './keychain.ts';
import { environmentNames, isSecretName, type McpSecretName, type SecretName, secretNames } from './secret-names.ts';
import { secretValue, sensitiveParts } from './secret-value.ts';
import { systemKeychain } from './system-keychain.ts';

export type SecretSource = 'keychain' | 'memory' | 'environment' | '.env';

export interface Secret {
  readonly value: string;
  readonly source: SecretSource;
}

/** What a surface may know. */
export interface SecretStatus {
  readonly name: SecretName;
  readonly isSet: boolean;
  readonly source: SecretSource | undefined;
}

/** A notice for people, which never contains a value. */
export interface SecretsNotice {
  readonly code:
    | 'keychain_absent'
    | 'keychain_locked'
    | 'keychain_unavailable'
    | 'kept_in_memory'
    | 'dotenv_ignored'
    | 'secret_unusable';
  readonly message: string;
}

/** A value that cannot be stored, or an entry that could not be removed. `message` never holds a value. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
  readonly code: 'bad_name' | 'bad_value' | 'not_removed';

  constructor(code: SecretsError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface SecretsOptions {
  /** The folder that the app was launched from, whose `.env` is a source. It is never the workspace. */
  readonly launchDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keychain?: Keychain;
  /** It is called once for each notice. */
  readonly onNotice: (notice: SecretsNotice) => void;
  /** How long a value from the keychain is cached, in ms: changes by other processes are seen after this time. */
  readonly freshForMs?: number;
}

/**
 * After the keychain failed to answer or stayed locked, it (and the user) is not asked again for this long when
 * reading.
 */
const REST_MS = 60_000;
/** Shorter values occur in ordinary text, which redacting them would garble. */
const REDACT_FROM_LENGTH = 6;

/** API keys and tokens. The keychain comes before the environment, and that before `.env`. Source: design section 6. */
export class Secrets {
  /** The folder the app was launched from. */
  readonly launchDirectory: string;
  readonly #env: SecretsOptions['env'];
  readonly #keychain: Keychain;
  readonly #onNotice: (notice: SecretsNotice) => void;
  readonly #freshForMs: number;
  readonly #memory = new Map<SecretName, string>();
  readonly #reads = new Map<SecretName, { readonly at: number; readonly value: Promise<string | undefined> }>();
  readonly #sensitive = new Set<string>();
  readonly #uses = new Map<SecretName, Date>();
  readonly #noticed = new Set<string>();
  #backend: 'keychain' | 'memory' | undefined;
  #trouble: KeychainTrouble | undefined;
  #restUntil = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ launchDirectory, env, keychain, onNotice, freshForMs = 2000 }: SecretsOptions) {
    this.launchDirectory = launchDirectory;
    this.#env = env;
    this.#onNotice = onNotice;
    this.#keychain =
      keychain ??
      systemKeychain(() =>
        this.#notice(
          'keychain_locked',
          'The keychain is locked. Your system is asking for its password; waiting up to a minute.',
        ),
      );
    this.#freshForMs = freshForMs;
  }

  /**
   * The place where a new value would be stored, as of the last use of the keychain. Undefined before the first use.
   */
  get backend(): 'keychain' | 'memory' | undefined {
    return this.#backend;
  }

  /** Why the keychain can't be used, if that is so. */
  get keychainTrouble(): KeychainTrouble | undefined {
    return this.#trouble;
  }

  /** With `isFresh`, the secret is read anew, in case another process has just changed it. */
  async get(name: SecretName, { isFresh = false } = {}): Promise<Secret | undefined> {
    checkName(name);
    if (isFresh) this.#reads.delete(name);
    const kept = this.#memory.get(name);
    if (kept !== undefined) return { value: kept, source: 'memory' };
    const stored = this.#usable(await this.#read(name), `The keychain entry Steward/${name}`);
    // The value may have been set while this waited for the keychain.
    const keptMeanwhile = this.#memory.get(name);
    if (keptMeanwhile !== undefined) return { value: keptMeanwhile, source: 'memory' };
    if (stored !== undefined) return { value: stored, source: 'keychain' };
    return this.#fromEnvironment(name);
  }

  /** Gets the secret, like `get`, for a request that is about to be made with it. */
  async use(name: SecretName): Promise<Secret | undefined> {
    const secret = await this.get(name);
    if (secret !== undefined) this.#uses.set(name, new Date());
    return secret;
  }

  /** The last `use` by this process. */
  lastUsed(name: SecretName): Date | undefined {
    return this.#uses.get(name);
  }

  /** The status of every secret that the app defines and of these MCP secrets. */
  status(mcpNames: readonly McpSecretName[] = []): Promise<SecretStatus[]> {
    return Promise.all(
      [...secretNames, ...mcpNames].map(async (name) => {
        const secret = await this.get(name);
        return { name, isSet: secret !== undefined, source: secret?.source };
      }),
    );
  }

  /** The place where a new value would be stored, after a look at the keychain. */
  async placeFor(name: SecretName): Promise<'keychain' | 'memory'> {
    await this.get(name);
    return this.#backend ?? 'memory';
  }

  /** The value as it would be stored. Throws `SecretsError` (`bad_name`, `bad_value`). */
  check(name: SecretName, value: string): string {
    checkName(name);
    const checked = secretValue(value);
    if ('value' in checked) return checked.value;
    throw new SecretsError('bad_value', `The value for ${name} ${checked.refused}. Nothing was stored.`);
  }

  /** Throws `SecretsError` for a value that can't be a key. */
  async set(name: SecretName, value: string): Promise<{ readonly storedIn: 'keychain' | 'memory' }> {
    const checked = this.check(name, value);
    this.#remember(checked);
    try {
      await this.#keychain.set(name, checked);
      this.#memory.delete(name);
      this.#works();
      return { storedIn: 'keychain' };
    } catch (error) {
      const trouble = this.#troubled(error);
      this.#memory.set(name, checked);
      this.#notice(
        'kept_in_memory',
        `The keychain cannot be used: ${trouble.message}. ${name} is kept only until Steward closes.`,
      );
      return { storedIn: 'memory' };
    } finally {
      this.#reads.delete(name);
    }
  }

  /** Removes it from the keychain and from memory; a value from the environment stays in use. Throws `SecretsError`. */
  async remove(name: SecretName): Promise<{ readonly removed: boolean }> {
    checkName(name);
    const wasKept = this.#memory.delete(name);
    try {
      const wasStored = await this.#keychain.remove(name);
      this.#works();
      return { removed: wasKept || wasStored };
    } catch (error) {
      const trouble = this.#troubled(error);
      if (trouble.reason === 'absent') return { removed: wasKept };
      throw new SecretsError(
        'not_removed',
        `${name} may still be in the keychain: ${trouble.message}. Unlock it and try again.`,
      );
    } finally {
      this.#reads.delete(name);
    }
  }

  /**
   * Every secret value that this process has seen, longest first, for redaction. Handle like the secrets themselves.
   */
  redactionValues(): string[] {
    for (const variable of Object.values(environmentNames)) this.#remember(this.#env[variable]?.trim() ?? '');
    return [...this.#sensitive].sort((a, b) => b.length - a.length);
  }

  /** Never rejects: a keychain that can't be reached causes one notice and then counts as empty. */
  #read(name: SecretName): Promise<string | undefined> {
    const now = performance.now();
    const last = this.#reads.get(name);
    if (last !== undefined && now - last.at < this.#freshForMs) return last.value;
    if (now < this.#restUntil) return Promise.resolve(undefined);
    // One after the other: a locked keychain would otherwise prompt for its password once per name.
    const value = this.#queue.then(() => this.#readNow(name));
    this.#queue = value.catch(() => undefined);
    this.#reads.set(name, { at: now, value });
    return value;
  }

  async #readNow(name: SecretName): Promise<string | undefined> {
    if (performance.now() < this.#restUntil) return undefined;
    try {
      const found = await this.#keychain.get(name);
      this.#works();
      return found;
    } catch (error) {
      const trouble = this.#troubled(error);
      this.#notice(
        trouble.reason === 'absent' ? 'keychain_absent' : 'keychain_unavailable',
        `The keychain cannot be used: ${trouble.message}. Only keys from the environment are used, and a key you enter is kept only until Steward closes.`,
      );
      return undefined;
    }
  }

  #fromEnvironment(name: SecretName): Secret | undefined {
    const variable = environmentNames[name];
    if (variable === undefined) return undefined;
    const given = this.#usable(this.#env[variable], `The environment variable ${variable}`);
    if (given !== undefined) return { value: given, source: 'environment' };
    const { values, problem } = readDotEnv(this.launchDirectory);
    if (problem !== undefined) this.#notice('dotenv_ignored', problem);
    const written = this.#usable(values[variable], `${variable} in the .env file of ${this.launchDirectory}`);
    return written === undefined ? undefined : { value: written, source: '.env' };
  }

  /** An empty variable counts as not set. */
  #usable(text: string | undefined, where: string): string | undefined {
    if (text === undefined || text.trim() === '') return undefined;
    const checked = secretValue(text);
    this.#remember(text.trim());
    if ('value' in checked) return checked.value;
    this.#notice('secret_unusable', `${where} ${checked.refused}. It is ignored.`);
    return undefined;
  }

  #works(): void {
    this.#backend = 'keychain';
    this.#trouble = undefined;
    this.#restUntil = 0;
  }

  #troubled(error: unknown): KeychainUnavailable {
    if (!(error instanceof KeychainUnavailable)) throw error;
    this.#backend = 'memory';
    this.#trouble = error.reason;
    if (error.reason === 'no_answer' || error.reason === 'locked') this.#restUntil = performance.now() + REST_MS;
    return error;
  }

  #remember(value: string): void {
    for (const part of sensitiveParts(value)) if (part.length >= REDACT_FROM_LENGTH) this.#sensitive.add(part);
  }

  #notice(code: SecretsNotice['code'], message: string): void {
    if (this.#noticed.has(message)) return;
    this.#noticed.add(message);
    this.#onNotice({ code, message });
  }
}

/** Names from configuration are not checked by types. */
function checkName(name: string): void {
  if (!isSecretName(name))
    throw new SecretsError(
      'bad_name',
      `${JSON.stringify(name.slice(0, 100))} is not the name of a secret of this app.`,
    );
}
