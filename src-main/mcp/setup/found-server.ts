import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import type { ServerPart, ShownServer, ShownValue } from '../../../src-preload/contract/servers.ts';
import { isRecord } from '../../base/json.ts';
import { mayBeSecret } from './server-values.ts';

/** A server from another program's configuration or from pasted text, with complete values. */
export interface FoundServer extends Omit<ShownServer, 'foundId'> {
  readonly env: readonly FoundValue[];
  readonly headers: readonly FoundValue[];
  readonly parts: readonly FoundPart[];
}

export interface FoundValue extends ShownValue {
  readonly value: string;
}

export interface FoundPart extends ServerPart {
  readonly value: string;
}

const KNOWN_KEYS = new Set(
  [
    ...[
      'name',
      'type',
      'transport',
      'transportType',
      'command',
      'args',
      'env',
      'url',
      'serverUrl',
      'httpUrl',
      'headers',
    ],
    ...['start', 'timeoutSeconds', 'timeout', 'gallery', 'version', 'description'],
  ].map(lowered),
);
/** "Always allow" settings of other programs: permissions are granted here, not imported. */
const APPROVALS = new Set(['autoapprove', 'alwaysallow', 'trust', 'allowedtools']);
const INPUT = /\$\{input:([^}]+)\}/;

/** `undefined` if it has neither a command nor a URL. Nothing is run or looked up. */
export function foundServer(name: string, given: unknown): FoundServer | undefined {
  if (!isRecord(given)) return undefined;
  const entry = new Map(Object.entries(given).map(([key, value]) => [lowered(key), value]));
  const text = (...keys: readonly string[]) =>
    keys.map((key) => entry.get(key)).find((value) => typeof value === 'string');
  const command = text('command') ?? '';
  const url = text('url', 'serverurl', 'httpurl') ?? '';
  if (command === '' && url === '') return undefined;
  const args = Array.isArray(entry.get('args')) ? (entry.get('args') as readonly unknown[]).map(String) : [];
  const timeout = entry.get('timeoutseconds');
  return {
    name,
    transport: transportOf(text('transport', 'type', 'transporttype'), command),
    ...{ command, args, url },
    env: valuesIn(entry.get('env')),
    headers: valuesIn(entry.get('headers')),
    parts: [],
    start: entry.get('start') === 'lazy' ? 'lazy' : 'eager',
    timeoutSeconds: typeof timeout === 'number' && timeout > 0 && timeout <= 86_400 ? timeout : null,
    remarks: remarksOn(entry, args),
  };
}

function transportOf(written: string | undefined, command: string): FoundServer['transport'] {
  const said = written?.toLowerCase();
  if (command !== '' && said !== 'sse' && said !== 'http') return 'stdio';
  return said === 'sse' ? 'sse' : 'http';
}

function valuesIn(given: unknown): readonly FoundValue[] {
  if (!isRecord(given)) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    return [foundValue(name, String(value))];
  });
}

/** A value the other program prompts for becomes a secret to enter. */
function foundValue(name: string, text: string): FoundValue {
  const input = INPUT.exec(text);
  if (input === null) {
    return { name, value: text, isSecret: mayBeSecret(name, text), before: '', after: '' };
  }
  return {
    ...{ name, value: '', isSecret: true },
    before: text.slice(0, input.index),
    after: text.slice(input.index + input[0].length),
  };
}

function remarksOn(entry: ReadonlyMap<string, unknown>, args: readonly string[]): readonly ServerRemark[] {
  const remarks: ServerRemark[] = [];
  if ([...entry.keys()].some((key) => APPROVALS.has(key))) remarks.push({ code: 'approval' });
  if (entry.get('disabled') === true) remarks.push({ code: 'disabled' });
  for (const arg of args) {
    const input = INPUT.exec(arg)?.[1];
    if (input !== undefined) remarks.push({ code: 'key_in_argument', name: input });
  }
  for (const key of entry.keys())
    if (!KNOWN_KEYS.has(key) && !APPROVALS.has(key) && key !== 'disabled') remarks.push({ code: 'left_out', key });
  return remarks;
}

function lowered(key: string): string {
  return key.toLowerCase();
}
