import { z } from 'zod';
import { request } from './route.ts';

export const ProviderType = z.enum(['anthropic', 'openai', 'gemini', 'ollama']);
export type ProviderType = z.infer<typeof ProviderType>;

/** What the form of a new provider is filled with. */
export const ProviderTemplate = z.enum([
  'anthropic',
  'openai',
  'azure',
  'groq',
  'github-models',
  'lm-studio',
  'gemini',
  'ollama',
  'other',
] as const);
export type ProviderTemplate = z.infer<typeof ProviderTemplate>;

/**
 * The key that a provider's requests are sent with. `vendor` is the one under *Keys* that all providers at this vendor
 * share.
 */
export type ShownProviderKey =
  | { readonly of: 'provider' | 'vendor'; readonly keptIn: 'keychain' | 'memory' | 'environment' | '.env' }
  /** `isNeeded` is set if the provider can't answer without a key. */
  | { readonly of: 'nobody'; readonly isNeeded: boolean };

/**
 * `unconfirmed` means that its address in config.json has no effect until it is confirmed, `invalid` that its entry has
 * errors.
 */
export type ShownProviderState =
  | { readonly name: 'ready' | 'no-key' | 'unconfirmed' }
  | { readonly name: 'invalid'; readonly messages: readonly string[] };

/** The result of a test, without secrets. `code` is that of the `ModelError`, or `ok`. */
export interface ProviderTest {
  readonly works: boolean;
  readonly code: string;
  /** What happened and what to do. */
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A model as texts name it. */
export interface AnsweringModel {
  readonly label: string;
  /** Who receives what is sent to the model. Null for the Guide, with which nobody does. */
  readonly sentTo: string | null;
}

export interface ProviderRow {
  readonly name: string;
  /** `null` if its entry does not say. */
  readonly type: ProviderType | null;
  /** Which service it is, as far as its address tells. */
  readonly template: ProviderTemplate;
  /** The provider is not in config.json, because Claude at Anthropic needs no entry. */
  readonly isBuiltIn: boolean;
  /** The model of new conversations; `''` if its entry does not say. */
  readonly model: string;
  /** The base URL in effect. */
  readonly address: string;
  readonly state: ShownProviderState;
  readonly key: ShownProviderKey;
  /** The provider answers the next message. */
  readonly isActive: boolean;
  /** What answers once the active provider is removed, or null if nothing does until another model is chosen. */
  readonly successor: AnsweringModel | null;
  /** Null if it was never tested at this address. */
  readonly test: ProviderTest | null;
}

export interface ProviderList {
  readonly rows: readonly ProviderRow[];
}

export const Effort = z.enum(['none', 'low', 'medium', 'high', 'max']);
export type Effort = z.infer<typeof Effort>;

const MAX_TEXT = 1_000;

/** A provider as the form shows and submits it. Empty texts and `null`: not set. */
export const ProviderForm = z.object({
  name: z.string().max(100),
  type: ProviderType,
  baseUrl: z.string().max(MAX_TEXT),
  model: z.string().max(MAX_TEXT),
  apiVersion: z.string().max(MAX_TEXT),
  api: z.enum(['chat', 'responses']).nullable(),
  maxTokens: z.number().nullable(),
  temperature: z.number().nullable(),
  effort: Effort.nullable(),
  contextTokens: z.number().nullable(),
  description: z.string().max(MAX_TEXT),
});
export type ProviderForm = z.infer<typeof ProviderForm>;

/** What a model does besides reading and writing text. */
export type ModelAbility = 'tools' | 'images' | 'audio' | 'documents' | 'thinking';

export interface ModelRow {
  /** The input of `settings.chooseModel`. */
  readonly specification: string;
  /** The name that the service gives the model. */
  readonly id: string;
  readonly label: string;
  /** Input and output together, in tokens, or null if not known. */
  readonly contextTokens: number | null;
  /** US dollars per million tokens, or null if not known. */
  readonly price: { readonly input: number; readonly output: number } | null;
  /** Null if not known. */
  readonly abilities: readonly ModelAbility[] | null;
}

/** The models of one provider. */
export interface ModelGroup {
  readonly provider: string;
  readonly label: string;
  /** Who receives what is sent to these models, or null if nobody does. */
  readonly sentTo: string | null;
  readonly models: readonly ModelRow[];
  /**
   * When the service was asked (ISO 8601). Null if it never was, and then these are the models that Steward and
   * config.json name.
   */
  readonly listedAt: string | null;
  /** The service doesn't list what is deployed, so the user types the name. */
  readonly isTyped?: true;
  /** Why the list could not be fetched last time. Null if it could, or was not tried. */
  readonly problem: string | null;
}

export interface ModelLists {
  readonly groups: readonly ModelGroup[];
  /** Specifications of models used last, newest first. */
  readonly recent: readonly string[];
}

/** Pages of vendors where keys are made or programs downloaded, opened by name. */
export const ProviderPageName = ProviderTemplate.exclude(['other']);
export type ProviderPageName = z.infer<typeof ProviderPageName>;

const ProviderName = z.string().min(1).max(100);
/** Null keeps the stored key. */
const GivenKey = z.string().min(1).max(MAX_TEXT).nullable();

/** Model providers. The consent surface asks first about whatever sends conversations or keys to another address. */
export const providers = {
  list: request(z.object({})).returns<ProviderList>(),
  /** The values in config.json, for the form. */
  get: request(z.object({ name: ProviderName })).returns<ProviderForm>(),
  /** `key` is the provider's own key, which goes into the keychain and is never returned. */
  add: request(z.object({ form: ProviderForm, key: GivenKey })).returns<ProviderList>(),
  /** `name` is what the provider is called now; the form may have another name. */
  change: request(z.object({ name: ProviderName, form: ProviderForm, key: GivenKey })).returns<ProviderList>(),
  /** Asks about its address in config.json. */
  confirm: request(z.object({ name: ProviderName })).returns<ProviderList>(),
  /** Removes it with its own key. */
  remove: request(z.object({ name: ProviderName })).returns<ProviderList>(),
  removeKey: request(z.object({ name: ProviderName })).returns<ProviderList>(),
  /**
   * Asks the service for its models, with the form's values. `name` is the stored provider that is edited, or null for
   * a new one. It needs a click.
   */
  test: request(z.object({ name: ProviderName.nullable(), form: ProviderForm, key: GivenKey })).returns<{
    readonly test: ProviderTest;
    readonly models: readonly ModelRow[];
  }>(),
  /** The models of all providers, as they were listed last. */
  models: request(z.object({})).returns<ModelLists>(),
  /** Asks a provider's service for its models. */
  refreshModels: request(z.object({ name: ProviderName })).returns<ModelLists>(),
  /** Whether Ollama answers on this computer, unless it is configured already. Asks it once per session. */
  findOllama: request(z.object({})).returns<{ readonly address: string; readonly models: readonly string[] } | null>(),
  openPage: request(z.object({ page: ProviderPageName })).returns<null>(),
};
