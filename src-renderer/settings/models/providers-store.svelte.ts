import type {
  ModelRow,
  ProviderForm,
  ProviderList,
  ProviderPageName,
  ProviderRow,
  ProviderTest,
} from '../../../src-preload/contract/providers.ts';
import { reported } from '../../ui/reported.ts';
import { ViewStore } from '../view-store.svelte.ts';

export interface TestedForm {
  readonly test: ProviderTest;
  readonly models: readonly ModelRow[];
}

/** The model providers as reported by main. A change is about `save`, `test:groq`. */
export class ProvidersStore extends ViewStore<readonly ProviderRow[]> {
  /** An Ollama on this computer that no provider uses. */
  ollama = $state.raw<{ readonly address: string; readonly models: readonly string[] } | null>(null);

  get rows(): readonly ProviderRow[] | null {
    return this.view;
  }

  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.lookForOllama();
    return this.loadOn('settingsChanged');
  }

  protected override async ask(): Promise<readonly ProviderRow[]> {
    return (await this.bridge.request('providers.list', {})).rows;
  }

  async lookForOllama(): Promise<void> {
    // If that fails, Ollama is just not offered.
    this.ollama = await this.bridge.request('providers.findOllama', {}).catch(() => null);
  }

  /** `undefined` if it is gone; `refusal` has the reason. */
  async form(name: string): Promise<ProviderForm | undefined> {
    let form: ProviderForm | undefined;
    await this.attempt(`edit:${name}`, async () => {
      form = await this.bridge.request('providers.get', { name });
    });
    return form;
  }

  add(form: ProviderForm, key: string | null): Promise<boolean> {
    return this.#listed('save', () => this.bridge.request('providers.add', { form, key }));
  }

  save(name: string, form: ProviderForm, key: string | null): Promise<boolean> {
    return this.#listed('save', () => this.bridge.request('providers.change', { name, form, key }));
  }

  /**
   * `name` is that of the stored provider that is edited, or null for a new one. Resolves with undefined if it was not
   * tested.
   */
  async test(name: string | null, form: ProviderForm, key: string | null): Promise<TestedForm | undefined> {
    let tested: TestedForm | undefined;
    await this.attempt('test', async () => {
      tested = await this.bridge.request('providers.test', { name, form, key });
    });
    return tested;
  }

  /** Tests the provider with its stored form. */
  async testStored(name: string): Promise<boolean> {
    return this.attempt(`test:${name}`, async () => {
      const form = await this.bridge.request('providers.get', { name });
      await this.bridge.request('providers.test', { name, form, key: null });
      await this.load();
    });
  }

  confirm(name: string): Promise<boolean> {
    return this.#listed(`confirm:${name}`, () => this.bridge.request('providers.confirm', { name }));
  }

  remove(name: string): Promise<boolean> {
    return this.#listed('remove', () => this.bridge.request('providers.remove', { name }));
  }

  removeKey(name: string): Promise<boolean> {
    return this.#listed('removeKey', () => this.bridge.request('providers.removeKey', { name }));
  }

  openPage(page: ProviderPageName): void {
    void reported(this.bridge.request('providers.openPage', { page }));
  }

  #listed(about: string, request: () => Promise<ProviderList>): Promise<boolean> {
    return this.changeWith(about, async () => (await request()).rows);
  }
}
