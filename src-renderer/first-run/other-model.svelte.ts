import type { ProviderForm, ProviderRow, ProviderTemplate } from '../../src-preload/contract/providers.ts';
import { filledForm } from '../settings/models/provider-draft.svelte.ts';
import { ProvidersStore } from '../settings/models/providers-store.svelte.ts';
import type { Bridge } from '../ui/bridge.ts';

/** What answers instead of Claude: a model that somebody else runs (`service`), or a program on this computer. */
export type Way = 'service' | 'computer';

export const TEMPLATES_OF: Readonly<Record<Way, readonly ProviderTemplate[]>> = {
  service: ['openai', 'gemini', 'groq', 'github-models', 'azure', 'other'],
  computer: ['ollama', 'lm-studio'],
};

export interface AddedModel {
  readonly specification: string;
  readonly label: string;
  /** The host of the address. */
  readonly sentTo: string;
}

export interface OpenForm {
  readonly template: ProviderTemplate;
  readonly form: ProviderForm;
  /** The stored provider, or null for a new one. */
  readonly row: ProviderRow | null;
}

/** A provider is added with the form that Settings have, and then used. */
export class OtherModel {
  /** Null while Claude is offered. */
  way: Way | null = $state(null);
  form: OpenForm | null = $state.raw(null);
  /** The model is stored, and answers once the user says so. */
  added: AddedModel | null = $state.raw(null);
  readonly providers: ProvidersStore;
  readonly #choose: (specification: string) => Promise<boolean>;

  /** `choose` has this model answer, and resolves with false if it does not. */
  constructor(bridge: Bridge, choose: (specification: string) => Promise<boolean>) {
    this.providers = new ProvidersStore(bridge);
    this.#choose = choose;
  }

  open(way: Way): void {
    this.way = way;
    void this.providers.load();
    if (way === 'computer') void this.providers.lookForOllama();
  }

  /** Whether there was something to go back from. */
  back(): boolean {
    if (this.added !== null) this.added = null;
    else if (this.form !== null) this.form = null;
    else if (this.way !== null) this.way = null;
    else return false;
    this.providers.forgetRefusal();
    return true;
  }

  async fill(template: ProviderTemplate): Promise<void> {
    const { providers } = this;
    providers.forgetRefusal();
    if (providers.rows === null) await providers.load();
    const { ollama, rows } = providers;
    const form = filledForm(template, rows?.map(({ name }) => name) ?? []);
    const model = template === 'ollama' ? (ollama?.models[0] ?? form.model) : form.model;
    this.form = { template, form: { ...form, model }, row: null };
  }

  /** One that can't answer without a key stays in its form. */
  async saved({ name, model }: { readonly name: string; readonly model: string }): Promise<void> {
    const { providers } = this;
    const row = providers.rows?.find((each) => each.name === name);
    if (row?.state.name === 'no-key') {
      const form = await providers.form(name);
      if (form === undefined) return;
      this.form = { template: row.template, form, row };
      const message = `${name} is saved, but it can’t answer without a key.`;
      providers.refusal = { about: 'save', message, isOwnChoice: true };
      return;
    }
    if (row === undefined) return;
    this.form = null;
    this.added = { specification: `${name}:${model}`, label: `${name}: ${model}`, sentTo: new URL(row.address).host };
  }

  /** Whether it answers now. Needs the user's click, since conversations go there from then on. */
  async use({ specification }: AddedModel): Promise<boolean> {
    if (!(await this.#choose(specification))) return false;
    this.added = null;
    this.way = null;
    return true;
  }
}
