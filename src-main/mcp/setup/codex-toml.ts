import { parse, TomlError } from 'smol-toml';
import { type Section, sectionsIn } from './json-sections.ts';
import { plainQuotes } from './json-text.ts';
import type { TextMistake } from './text-mistake.ts';

/**
 * The sections `[mcp_servers.NAME]` of Codex' config.toml. Source: https://developers.openai.com/codex/mcp. Never
 * throws.
 */
export function tomlSections(
  text: string,
): { readonly sections: readonly Section[] } | { readonly mistake: TextMistake } {
  const first = parsed(text);
  if ('mistake' in first && !/[\u2018-\u201f]/.test(text)) return first;
  const read = 'mistake' in first ? parsed(plainQuotes(text)) : first;
  if ('mistake' in read) return read;
  return { sections: sectionsIn(read.value).map((section) => ({ ...section, format: 'codex' as const })) };
}

function parsed(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly mistake: TextMistake } {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (error instanceof TomlError) {
      const [reason = ''] = error.message.split('\n');
      return {
        mistake: { line: error.line, column: error.column, reason: reason.replace(/^Invalid TOML document:\s*/, '') },
      };
    }
    if (error instanceof RangeError) return { mistake: { line: 1, column: 1, reason: 'nested too deeply' } };
    throw error;
  }
}
