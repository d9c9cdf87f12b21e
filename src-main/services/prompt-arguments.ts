import type { ServerPrompt } from '../mcp/content/content-list.ts';
import { ContentFailure } from './content-failure.ts';

/**
 * The arguments as texts, as the protocol requires. Empty ones count as absent. Throws `ContentFailure` with the
 * argument's name.
 */
export function checkedArguments(
  { name: prompt, arguments: declared = [] }: ServerPrompt,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const known = new Set(declared.map(({ name }) => name));
  for (const argument of Object.keys(given)) {
    if (known.has(argument)) continue;
    const takes = known.size === 0 ? 'It takes none.' : `It takes: ${[...known].join(', ')}.`;
    throw new ContentFailure('argument_unknown', `The prompt ${prompt} has no argument ${argument}. ${takes}`, {
      argument,
    });
  }
  const values = Object.entries(given).flatMap(([argument, value]) => {
    if (value === undefined || value === null || value === '') return [];
    if (typeof value === 'object')
      throw new ContentFailure('argument_wrong', `The argument ${argument} has to be a text.`, { argument });
    return [[argument, String(value)] as const];
  });
  const filled = new Set(values.map(([argument]) => argument));
  const missing = declared.find(({ name, required }) => required === true && !filled.has(name));
  if (missing !== undefined)
    throw new ContentFailure('argument_missing', `${missing.name} is required.`, { argument: missing.name });
  return Object.fromEntries(values);
}
