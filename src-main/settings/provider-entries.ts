import { ProviderType } from '../../src-preload/contract/providers.ts';
import { isRecord, ownValue } from '../base/json.ts';
import { type ConfigEdit, editConfigText, renameConfigKey } from './edit-config-text.ts';

interface ReadText {
  readonly text: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A change of one entry of `providers`. */
export interface ProviderChange {
  /** The name that it has now, or that of a new one. */
  readonly name: string;
  /** Its new name, absent if it keeps the present one. */
  readonly renamed?: string;
  /** Values by key; `undefined` removes one. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Every entry of `providers` as written, including invalid ones. */
export function providersIn({ providers }: ReadText['raw']): Readonly<Record<string, unknown>> {
  return isRecord(providers) ? providers : {};
}

/**
 * The text with this change; everything else in the entry is kept, known or not. `model` and `prices` follow a new
 * name.
 */
export function withProviderChange({ text, raw }: ReadText, { name, renamed, values }: ProviderChange): string {
  const edits: ConfigEdit[] = [];
  if (isRecord(ownValue(providersIn(raw), name))) {
    for (const [key, value] of Object.entries(values)) edits.push({ path: ['providers', name, key], value });
  } else edits.push({ path: ['providers', name], value: JSON.parse(JSON.stringify(values)) as unknown });
  const edited = editConfigText(text, edits);
  if (renamed === undefined || renamed === name) return edited;
  const chosen = modelOf(raw, name);
  const priced = pricesOf(raw, name).reduce(
    (before, { key, model }) => renameConfigKey(before, ['prices', key], `${renamed}:${model}`),
    renameConfigKey(edited, ['providers', name], renamed),
  );
  return editConfigText(priced, chosen === undefined ? [] : [{ path: ['model'], value: `${renamed}:${chosen}` }]);
}

/** The text without this entry, and without a `model` that needs it. */
export function withoutProvider({ text, raw }: ReadText, name: string): string {
  return editConfigText(text, [
    { path: ['providers', name], value: undefined },
    ...(modelOf(raw, name) === undefined ? [] : [{ path: ['model'], value: undefined }]),
  ]);
}

/** The chosen model, if it is one of this provider's. */
function modelOf({ model }: ReadText['raw'], provider: string): string | undefined {
  return typeof model === 'string' ? modelIn(model, provider) : undefined;
}

/** The keys of `prices` with the models that they name. A key that begins with a type is every such provider's. */
function pricesOf({ prices }: ReadText['raw'], provider: string): readonly { key: string; model: string }[] {
  if (!isRecord(prices) || ProviderType.safeParse(provider.toLowerCase()).success) return [];
  return Object.keys(prices).flatMap((key) => {
    const model = modelIn(key.trim(), provider);
    return model === undefined ? [] : [{ key, model }];
  });
}

function modelIn(specification: string, provider: string): string | undefined {
  const isOfProvider = specification.toLowerCase().startsWith(`${provider.toLowerCase()}:`);
  return isOfProvider ? specification.slice(provider.length + 1) : undefined;
}
