import { newProviderNameProblem } from '../../../src-preload/contract/provider-name.ts';
import type { ModelRow, ProviderForm, ProviderTemplate } from '../../../src-preload/contract/providers.ts';
import { TEMPLATES } from './provider-texts.ts';
import type { TestedForm } from './providers-store.svelte.ts';

/** What the user fills in. Main decides whether it is valid. */
export class ProviderDraft {
  name = $state('');
  type = $state<ProviderForm['type']>('openai');
  baseUrl = $state('');
  model = $state('');
  apiVersion = $state('');
  api = $state<'auto' | 'chat' | 'responses'>('auto');
  effort = $state<'auto' | NonNullable<ProviderForm['effort']>>('auto');
  maxTokens = $state('');
  temperature = $state('');
  contextTokens = $state('');
  description = $state('');
  /** The key that was typed here. It is never shown again. */
  key = $state('');

  /** Set if there is no vendor whose address is meant when none is given. */
  readonly needsAddress: boolean;
  /** The name before editing, empty for a new provider. */
  readonly #writtenName: string;
  /** The last test, and what it was of. */
  #tested = $state.raw<(TestedForm & { readonly place: string; readonly model: string }) | null>(null);

  constructor(form: ProviderForm, { needsAddress = false, writtenName = '' } = {}) {
    this.#writtenName = writtenName;
    this.needsAddress = needsAddress;
    this.name = form.name;
    this.type = form.type;
    this.baseUrl = form.baseUrl;
    this.model = form.model;
    this.apiVersion = form.apiVersion;
    this.api = form.api ?? 'auto';
    this.effort = form.effort ?? 'auto';
    this.maxTokens = written(form.maxTokens);
    this.temperature = written(form.temperature);
    this.contextTokens = written(form.contextTokens);
    this.description = form.description;
  }

  /** What is missing or unusable; nothing is sent until there is nothing. */
  get problems(): Problems {
    const numbers = (['maxTokens', 'temperature', 'contextTokens'] as const).filter((key) =>
      Number.isNaN(numberOf(this[key])),
    );
    const name = this.name.trim();
    // One that is written in config.json may stay.
    const nameProblem = name === this.#writtenName ? null : newProviderNameProblem(name);
    return {
      ...(nameProblem === null ? {} : { name: nameProblem }),
      ...(this.needsAddress && this.baseUrl.trim() === '' ? { baseUrl: 'Enter the address.' } : {}),
      ...(this.model.trim() === '' ? { model: 'Choose a model, or enter its id.' } : {}),
      ...Object.fromEntries(numbers.map((key) => [key, 'Enter a number, or leave it empty.'])),
    };
  }

  get form(): ProviderForm {
    const { name, type, baseUrl, model, apiVersion, api, effort, maxTokens, temperature, contextTokens, description } =
      this;
    return {
      name,
      type,
      baseUrl,
      model,
      apiVersion,
      description,
      api: api === 'auto' ? null : api,
      effort: effort === 'auto' ? null : effort,
      maxTokens: numberOf(maxTokens),
      temperature: numberOf(temperature),
      contextTokens: numberOf(contextTokens),
    };
  }

  /** Returns what takes the result. It is of the values as they are now, whatever is typed meanwhile. */
  beginTest(): (tested: TestedForm | undefined) => void {
    const { model } = this;
    const place = this.#place;
    return (tested) => {
      this.#tested = tested === undefined ? null : { ...tested, place, model };
    };
  }

  /** The last test, as long as it is true of what is entered. */
  get tested(): TestedForm | null {
    const tested = this.#testedHere;
    return tested === null || tested.model.trim() === '' || tested.model === this.model ? tested : null;
  }

  /** The models that the service offers. Empty if they are not known. */
  get listed(): readonly ModelRow[] {
    return this.#testedHere?.models ?? [];
  }

  /** A service may have models that it doesn't list, so this is only a hint. */
  get isUnlisted(): boolean {
    const model = this.model.trim();
    return model !== '' && this.listed.length > 0 && !this.listed.some(({ id }) => id === model);
  }

  get #testedHere() {
    return this.#tested?.place === this.#place ? this.#tested : null;
  }

  /** What a test connects to, and with which key. */
  get #place(): string {
    return JSON.stringify([this.type, this.baseUrl.trim(), this.apiVersion.trim(), this.api, this.givenKey]);
  }

  /** Null keeps the stored key. */
  get givenKey(): string | null {
    return this.key.trim() === '' ? null : this.key.trim();
  }
}

export type Problems = Readonly<
  Partial<Record<'name' | 'baseUrl' | 'model' | 'maxTokens' | 'temperature' | 'contextTokens', string>>
>;

/** The form of a new provider. `taken` are the names that exist already. */
export function filledForm(template: ProviderTemplate, taken: readonly string[]): ProviderForm {
  const { name, type, baseUrl, model } = TEMPLATES[template];
  return {
    name: freeName(name, taken),
    type,
    baseUrl,
    model,
    description: '',
    apiVersion: template === 'azure' ? AZURE_VERSION : '',
    api: null,
    maxTokens: null,
    temperature: null,
    effort: null,
    contextTokens: null,
  };
}

/**
 * The newest preview that has the Responses API. Source:
 * learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 */
const AZURE_VERSION = '2025-04-01-preview';

function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!names.has(name)) return name;
  }
}

function written(number: number | null): string {
  return number === null ? '' : String(number);
}

/** Null if the field is empty, NaN if it is not a number. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text.replaceAll(',', '').trim());
}
