import { LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../../base/json.ts';
import { isServer, nameOf, type Section, sectionsIn } from './json-sections.ts';
import { plainQuotes } from './json-text.ts';
import type { TextMistake } from './text-mistake.ts';

/** In UTF-16 code units. The time that the parser takes for mistakes grows with the square of their number. */
const MAX_LENGTH = 64 * 1024;

/**
 * Reads YAML of Goose (`extensions`), Continue (a list `mcpServers`) and others. Sources:
 * https://block.github.io/goose/docs/getting-started/using-extensions,
 * https://docs.continue.dev/customize/deep-dives/mcp. Never throws.
 */
export function yamlSections(
  text: string,
): { readonly sections: readonly Section[] } | { readonly mistake: TextMistake } {
  const first = parsed(text);
  const read = 'mistake' in first ? parsed(plainQuotes(text)) : first;
  if ('mistake' in read) return read;
  const { value } = read;
  if (Array.isArray(value)) {
    const entries = value.filter(isServer).map((each: unknown) => [nameOf(each), each] as const);
    return { sections: entries.length === 0 ? [] : [{ format: 'yaml', project: null, entries }] };
  }
  if (!isRecord(value)) return { sections: [] };
  const sections = sectionsIn(value);
  if (sections.length > 0)
    return { sections: sections.map((section) => ({ ...section, format: formatOf(value, section) })) };
  const entries = Object.entries(value).filter(([, each]) => isServer(each));
  if (entries.length > 0) return { sections: [{ format: 'yaml', project: null, entries }] };
  return { sections: isServer(value) ? [{ format: 'yaml', project: null, entries: [[nameOf(value), value]] }] : [] };
}

function formatOf(value: Readonly<Record<string, unknown>>, { format }: Section): Section['format'] {
  if (format === 'goose') return 'goose';
  return Array.isArray(value.mcpServers) ? 'continue' : 'yaml';
}

function parsed(text: string): { readonly value: unknown } | { readonly mistake: TextMistake } {
  if (text.length > MAX_LENGTH) return { mistake: { line: 1, column: 1, reason: 'it is too long' } };
  const counter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error === undefined) return { value: document.toJS({ maxAliasCount: 50 }) as unknown };
    const { line, col } = counter.linePos(error.pos[0]);
    return { mistake: { line, column: col, reason: error.message.split('\n')[0] ?? '' } };
  } catch (error) {
    // Nested too deeply, or aliases that would fill the memory.
    if (error instanceof RangeError || error instanceof ReferenceError)
      return { mistake: { line: 1, column: 1, reason: 'nested too deeply' } };
    throw error;
  }
}
