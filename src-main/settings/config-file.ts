import { readFileSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { systemCode } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { renameOver } from '../base/rename-over.ts';
import { grouped } from '../base/text.ts';
import { lineAndColumn, parseConfigText } from './config-text.ts';
import type { SettingsProblem } from './problems.ts';

/** No handwritten settings file is this large. */
const MAX_BYTES = 1024 * 1024;

export type ConfigFile =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly text: string; readonly raw: Readonly<Record<string, unknown>> }
  | { readonly state: 'broken'; readonly identity: string; readonly problem: SettingsProblem };

/** Never throws, whatever `path` is, and only opens regular files. */
export function readConfigFile(path: string): ConfigFile {
  try {
    const status = statSync(path);
    if (!status.isFile()) return unreadable(`is ${status.isDirectory() ? 'a folder' : 'not a plain file'}`);
    if (status.size > MAX_BYTES)
      return unreadable(`has ${grouped(status.size)} bytes; more than ${grouped(MAX_BYTES)} are not read`);
    return decode(readFileSync(path));
  } catch (error) {
    const code = systemCode(error) || 'unknown error';
    if (code === 'ENOENT') return { state: 'absent' };
    return unreadable(
      `cannot be read${code === 'EACCES' || code === 'EPERM' ? ' with your permissions' : ''} (${code})`,
    );
  }
}

/**
 * Moves the file at `path` to the first free `config.json.broken-N` next to it and returns that name. Requires the
 * lock: otherwise another process could choose the same name.
 */
export async function setAside(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = `${path}.broken-${number}`;
    const isFree = await access(aside).then(
      () => false,
      () => true,
    );
    if (!isFree) continue;
    await renameOver(path, aside);
    return aside;
  }
}

function unreadable(what: string): ConfigFile {
  return {
    state: 'broken',
    identity: what,
    problem: { severity: 'error', code: 'unreadable', message: `config.json ${what}.`, inEffect: 'defaults' },
  };
}

/** Parses a text like the file. */
export function readConfigText(text: string): ConfigFile {
  return decode(Buffer.from(text));
}

function decode(bytes: Buffer): ConfigFile {
  const identity = bytes.toString('base64');
  const broken = (text: string, offset: number, reason: string): ConfigFile => {
    const { line, column } = lineAndColumn(text, offset);
    return {
      state: 'broken',
      identity,
      problem: {
        severity: 'error',
        code: 'bad_json',
        line,
        column,
        message: `config.json is not valid JSON: line ${line}, column ${column}: ${reason}.`,
        inEffect: 'defaults',
      },
    };
  };

  if (isUtf16(bytes)) return broken('', 0, 'the file is in UTF-16; save it as UTF-8');
  const wrongByte = firstInvalidUtf8(bytes);
  if (wrongByte !== undefined) {
    const before = bytes.subarray(0, wrongByte).toString('utf8');
    return broken(before, before.length, 'the file is not in UTF-8; save it as UTF-8');
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return broken(text, 0, 'the file is empty; expected { }');
  const parsed = parseConfigText(text);
  if ('mistake' in parsed) return broken(text, parsed.mistake.offset, parsed.mistake.reason);
  const { value } = parsed;
  if (!isRecord(value)) return broken(text, text.search(/\S/), `expected an object in { }, found ${nameOf(value)}`);
  return { state: 'read', text, raw: value };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff' || (bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0));
}

function firstInvalidUtf8(bytes: Buffer): number | undefined {
  const decoded = Buffer.from(bytes.toString('utf8'), 'utf8');
  if (decoded.equals(bytes)) return undefined;
  let index = 0;
  while (index < bytes.length && bytes[index] === decoded[index]) index++;
  // Back to the start of the replacement character, which may share its first byte with the invalid one.
  while (((decoded[index] ?? 0) & 0xc0) === 0x80) index--;
  return index;
}
