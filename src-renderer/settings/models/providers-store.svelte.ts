import type {
  ModelRow,
  ProviderForm,
  ProviderList,
  ProviderPageName,
  ProviderRow,
  ProviderTest,
} from '../../../src-preload/contract/providers.ts';
import { type Bridge, RequestFailed, sentenceOf } from '../../ui/bridge.ts';
import { reported } from '../../ui/reported.ts';
import type { Refusal } from '../settings-store.svelte.ts';

export interface TestedForm {
  readonly test: ProviderTest;
  readonly models: readonly ModelRow[];
}

/** The model providers as reported by main. Nothing changes here until main confirms it. */
export class ProvidersStore {
  rows = $state.raw<readonly ProviderRow[] | null>(null);
  /** Why they can't be shown. */
  failure = $state<string | null>(null);
  /** An Ollama on this computer that no provider uses. */
  ollama = $state.raw<{ readonly address: string; readonly models: readonly string[] } | null>(null);
  /** The change in progress: `add`, `test:groq`. */
  busy = $state<string | null>(null);
  /** The last change that failed, until another one is made. */
  refused = $state.raw<Refusal | null>(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.load();
    void this.lookForOllama();
    return this.#bridge.on('settingsChanged', () => void this.load());
  }

  async load(): Promise<void> {
    try {
      this.rows = (await this.#bridge.request('providers.list', {})).rows;
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  async lookForOllama(): Promise<void> {
    // If that fails, it is just not offered.
    this.ollama = await this.#bridge.request('providers.findOllama', {}).catch(() => null);
  }

  /** `undefined` if it is gone; `refused` has the reason. */
  async form(name: string): Promise<ProviderForm | undefined> {
    let form: ProviderForm | undefined;
    await this.#run(`edit:${name}`, async () => {
      form = await this.#bridge.request('providers.get', { name });
    });
    return form;
  }

  add(form: ProviderForm, key: string | null): Promise<boolean> {
    return this.#change('save', () => this.#bridge.request('providers.add', { form, key }));
  }

  save(name: string, form: ProviderForm, key: string | null): Promise<boolean> {
    return this.#change('save', () => this.#bridge.request('providers.change', { name, form, key }));
  }

  /** `name`: of the stored provider that is edited; `null`: a new one. `undefined` if it was not tested. */
  async test(name: string | null, form: ProviderForm, key: string | null): Promise<TestedForm | undefined> {
    let tested: TestedForm | undefined;
    await this.#run('test', async () => {
      tested = await this.#bridge.request('providers.test', { name, form, key });
    });
    return tested;
  }

  /** As it is stored. */
  async testStored(name: string): Promise<boolean> {
    return this.#run(`test:${name}`, async () => {
      const form = await this.#bridge.request('providers.get', { name });
      await this.#bridge.request('providers.test', { name, form, key: null });
      await this.load();
    });
  }

  confirm(name: string): Promise<boolean> {
    return this.#change(`confirm:${name}`, () => this.#bridge.request('providers.confirm', { name }));
  }

  remove(name: string): Promise<boolean> {
    return this.#change('remove', () => this.#bridge.request('providers.remove', { name }));
  }

  removeKey(name: string): Promise<boolean> {
    return this.#change('removeKey', () => this.#bridge.request('providers.removeKey', { name }));
  }

  openPage(page: ProviderPageName): void {
    void reported(this.#bridge.request('providers.openPage', { page }));
  }

  refusalOf(about: string): Refusal | null {
    return this.refused?.about === about ? this.refused : null;
  }

  forgetRefusal(): void {
    this.refused = null;
  }

  #change(about: string, work: () => Promise<ProviderList>): Promise<boolean> {
    return this.#run(about, async () => {
      this.rows = (await work()).rows;
    });
  }

  /** `true`: it took effect. */
  async #run(about: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = about;
    this.refused = null;
    try {
      await work();
      return true;
    } catch (error) {
      const isOwnChoice = error instanceof RequestFailed && error.code === 'not_confirmed';
      this.refused = { about, message: sentenceOf(error), isOwnChoice };
      return false;
    } finally {
      if (this.busy === about) this.busy = null;
    }
  }
}
