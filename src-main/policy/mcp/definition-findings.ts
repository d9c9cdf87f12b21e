import { isRecord } from '../../base/json.ts';
import type { DefinitionChange, ServerListing, ToolDefinition } from './definitions.ts';
import { loadIsPublicHost } from './mentioned-addresses.ts';
import { type Finding, type InspectedText, misleadingText } from './misleading-text.ts';

/** The length, in UTF-16 units, that one in thirteen descriptions of real tools exceeds. */
const LONG_DESCRIPTION = 2_000;
/** Instructions longer than what a review shows at once have to be opened. */
const LONG_INSTRUCTIONS = 400;
/** A schema has a few hundred texts; a hostile one may have millions. */
const MAX_TEXTS = 5_000;
const STANDARD_SCHEMA = /^https?:\/\/json-schema\.org\//;

/**
 * The findings of what could mislead a model, for each of a server's definitions that wait for a review. `otherTools`
 * are names of tools that are not its own.
 */
export async function findingsIn(
  changes: readonly DefinitionChange[],
  { tools }: ServerListing,
  otherTools: readonly string[],
): Promise<readonly (readonly Finding[])[]> {
  const own = new Set(tools.map(({ name }) => name.toLowerCase()));
  const others = otherTools.map((name) => name.toLowerCase()).filter((name) => !own.has(name));
  const isPublicHost = await loadIsPublicHost();
  return misleadingText(changes.map(inspected), { otherTools: new Set(others), isPublicHost });
}

function inspected({ now, tool }: DefinitionChange): InspectedText {
  if (tool === undefined) return { text: now.text, details: [], isWhole: true, mayBeLong: LONG_INSTRUCTIONS };
  const texts = textsIn(tool);
  const isWhole = texts.length <= MAX_TEXTS;
  return { text: tool.description, details: [tool.name, ...texts], isWhole, mayBeLong: LONG_DESCRIPTION };
}

/**
 * Every text of a schema that a model would read, names included. The search is iterative, because a schema may be
 * nested deeper than the stack.
 */
function textsIn({ inputSchema }: ToolDefinition): readonly string[] {
  const texts: string[] = [];
  const pending: unknown[] = [inputSchema];
  for (let at = 0; at < pending.length && texts.length <= MAX_TEXTS; at += 1) {
    const value = pending[at];
    if (typeof value === 'string' && value !== '') texts.push(value);
    else if (Array.isArray(value)) for (const each of value) pending.push(each);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        if (name === '$schema' && typeof member === 'string' && STANDARD_SCHEMA.test(member)) continue;
        pending.push(name, member);
      }
  }
  return texts;
}
