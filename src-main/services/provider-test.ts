import type { ProviderTest } from '../../src-preload/contract/providers.ts';
import { type ListedModel, ModelError, type ModelProvider } from '../models/provider.ts';
import type { ConfiguredType } from '../models/provider-address.ts';

export interface TestedProvider {
  readonly test: ProviderTest;
  /** The models, as far as the service lists them. */
  readonly models: readonly ListedModel[];
}

export interface TestOptions {
  readonly type: ConfiguredType;
  /** Empty if none is chosen yet. */
  readonly model: string;
  readonly address: string;
  /** A list of models is often public, so only an answer proves key, model and credit. */
  readonly sendsMessage: boolean;
  readonly signal: AbortSignal;
}

const WITHIN_MS = 60_000;
const MAX_NAMED = 5;

/** Asks for the models and, if wanted, for the beginning of an answer. Rejects only with the signal's reason. */
export async function testProvider(provider: ModelProvider, options: TestOptions): Promise<TestedProvider> {
  const { model, sendsMessage, type } = options;
  const { host } = new URL(options.address);
  const within = AbortSignal.timeout(WITHIN_MS);
  const signal = AbortSignal.any([options.signal, within]);
  let models: readonly ListedModel[] = [];
  const result = (code: string, message: string): TestedProvider => ({
    test: { works: code === 'ok', code, message, at: new Date().toISOString() },
    models,
  });
  try {
    const listed = await listOf(provider, signal);
    models = listed.models;
    if (sendsMessage) await beginningOfAnswer(provider, model, signal);
    else if (listed.failure !== undefined) throw listed.failure;
    else if (model !== '' && models.length > 0 && !models.some(({ id }) => isModel(id, model, type)))
      return result('unknown_model', unknownText(options, models));
    return result('ok', `It works: ${host} answers.`);
  } catch (error) {
    options.signal.throwIfAborted();
    if (within.aborted) return result('no_answer', `${host} did not answer in time. Try again.`);
    if (!(error instanceof ModelError)) throw error;
    return result(error.code, `${error.message}${hint(error, options)}`);
  }
}

/** Some compatible services have no list: that alone is no failure. */
async function listOf(provider: ModelProvider, signal: AbortSignal) {
  try {
    return { models: await provider.list(signal), failure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return { models: [], failure: error };
  }
}

/** Ends the answer as soon as it begins, so that it costs next to nothing. */
async function beginningOfAnswer(provider: ModelProvider, model: string, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Say OK.' }] }] as const;
  const request = { model, system: 'Answer with one word.', messages, tools: [], maxTokens: 64 };
  try {
    for await (const event of provider.stream({ ...request, signal: AbortSignal.any([signal, enough.signal]) })) {
      if (event.type === 'retry') throw event.error;
      return;
    }
  } finally {
    enough.abort();
  }
}

/** Ollama's names have a tag, `latest` if it is left out. */
function isModel(id: string, wanted: string, type: ConfiguredType): boolean {
  return id === wanted || (type === 'ollama' && id === `${wanted}:latest`);
}

function unknownText({ model, address, type }: TestOptions, models: readonly ListedModel[]): string {
  const named = models.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = models.length > named.length ? ', …' : '';
  const advice = type === 'ollama' ? ` To download it: ollama pull ${model}.` : '';
  return `${new URL(address).host} has no model “${model}”. It has ${named.join(', ')}${more}.${advice}`;
}

/** The commonest mistake with compatible services. */
function hint({ status, code }: ModelError, { type, address }: TestOptions): string {
  const mayLackVersion = type === 'openai' && (status === 404 || status === 405 || code === 'bad_answer');
  return mayLackVersion && !/\/v\d+(?:beta)?$|azure/.test(address)
    ? ' The base URL of such a service usually ends in /v1.'
    : '';
}
