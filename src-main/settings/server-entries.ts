import { isRecord, ownValue } from '../base/json.ts';
import { type ConfigEdit, editConfigText } from './edit-config-text.ts';
import { type KeyPath, SettingsError } from './problems.ts';
import { serverKeyAsWritten, serversKeyAsWritten } from './spelling.ts';

interface ReadText {
  readonly text: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A value in a server's entry, with our spelling of the key; `undefined` removes it. */
export interface ServerEdit {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
}

/** A server removed from config.json, with everything needed to restore it. */
export interface RemovedServer {
  readonly name: string;
  readonly entry: unknown;
  readonly textBefore: string;
  readonly textAfter: string;
}

/** Every entry of `mcpServers` as written, including invalid ones. */
export function serversIn(raw: ReadText['raw']): Readonly<Record<string, unknown>> {
  const servers = raw[serversKeyAsWritten(raw)];
  return isRecord(servers) ? servers : {};
}

/** The text with these values set in the entry; everything else in it is kept, known or not. */
export function withServerEdits({ text, raw }: ReadText, name: string, edits: readonly ServerEdit[]): string {
  const section = serversKeyAsWritten(raw);
  const entry = ownValue(serversIn(raw), name);
  if (isRecord(entry))
    return editConfigText(
      text,
      edits.map(({ path, value }) => edit([section, name, ...spelled(entry, path)], value)),
    );
  const whole = edits.flatMap(({ path: [key, ...below], value }) =>
    value === undefined
      ? []
      : [[key, below.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value)] as const],
  );
  return editConfigText(text, [edit([section, name], Object.fromEntries(whole))]);
}

/** Throws `SettingsError` if there is no such entry. */
export function serverRemoval({ text, raw }: ReadText, name: string): RemovedServer {
  const entry = ownValue(serversIn(raw), name);
  if (entry === undefined) throw new SettingsError(`config.json has no MCP server ${JSON.stringify(name)}.`);
  const textAfter = editConfigText(text, [edit([serversKeyAsWritten(raw), name], undefined)]);
  return { name, entry, textBefore: text, textAfter };
}

/**
 * The text before the removal; if the file has changed since, the entry at the end of the section. Throws
 * `SettingsError` if another server of that name was added in the meantime.
 */
export function withServerBack({ text, raw }: ReadText, { name, entry, textBefore, textAfter }: RemovedServer): string {
  if (Object.hasOwn(serversIn(raw), name))
    throw new SettingsError(`config.json has an MCP server ${JSON.stringify(name)} again. Nothing was changed.`);
  if (text === textAfter) return textBefore;
  return editConfigText(text, [edit([serversKeyAsWritten(raw), name], entry)]);
}

/** `transport` may be written as `type`. */
function spelled(entry: Readonly<Record<string, unknown>>, [key, ...below]: ServerEdit['path']): KeyPath {
  const written = serverKeyAsWritten(entry, key);
  const type = serverKeyAsWritten(entry, 'type');
  const isType = key === 'transport' && !Object.hasOwn(entry, written) && Object.hasOwn(entry, type);
  return [isType ? type : written, ...below];
}

function edit(path: KeyPath, value: unknown): ConfigEdit {
  return { path, value };
}
