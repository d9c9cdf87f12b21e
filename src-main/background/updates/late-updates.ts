import { errorMessage } from '../../base/errors.ts';
import type { HttpClient } from '../../network/http.ts';
import type { Config } from '../../settings/config-schema.ts';
import type { UpdateProgram } from './update-program.ts';
import type { Updates, UpdatesPorts } from './updates.ts';

export interface LateUpdatesPorts {
  readonly profileDirectory: string;
  readonly settings: { readonly config: Pick<Config, 'updates'>; onChange(listener: () => void): unknown };
  readonly http: HttpClient;
  readonly notify: UpdatesPorts['notify'];
}

/** Loads `Updates` only once they are used: most starts have nothing to look for. */
export class LateUpdates {
  readonly #program: UpdateProgram | undefined;
  readonly #ports: LateUpdatesPorts;
  #opening: Promise<Updates> | undefined;

  constructor(program: UpdateProgram | undefined, ports: LateUpdatesPorts) {
    this.#program = program;
    this.#ports = ports;
  }

  /** Returns `undefined` if there is no program that could be updated. */
  load(): Promise<Updates> | undefined {
    const program = this.#program;
    if (program !== undefined) this.#opening ??= this.#open(program).catch((error: unknown) => this.#failed(error));
    return this.#opening;
  }

  /** Returns `Updates` if they are loaded. The promise never rejects. */
  get loaded(): Promise<Updates | undefined> {
    return this.#opening?.catch(() => undefined) ?? Promise.resolve(undefined);
  }

  async close(): Promise<void> {
    await (await this.loaded)?.close();
  }

  /** Forgets the failed load, so that the next use tries again. */
  #failed(error: unknown): never {
    this.#opening = undefined;
    const message = `Steward can’t look for new versions: ${errorMessage(error)}`;
    this.#ports.notify({ code: 'updates_failed', message });
    throw error;
  }

  async #open(program: UpdateProgram): Promise<Updates> {
    const [{ Updates: Opened }, { systemClock }] = await Promise.all([
      import('./updates.ts'),
      import('./release-watch.ts'),
    ]);
    const { settings, ...ports } = this.#ports;
    const updates = await Opened.open({
      ...ports,
      program,
      clock: systemClock,
      isOn: () => settings.config.updates.check,
    });
    settings.onChange(() => updates.settingChanged());
    return updates;
  }
}
