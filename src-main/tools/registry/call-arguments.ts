import { isDeepStrictEqual } from 'node:util';
import { isRecord, ownValue } from '../../base/json.ts';
import type { Tool, ToolInput } from '../contract.ts';

/**
 * Names of the arguments whose value is what the tool takes where none is given. What a server takes then, only it
 * knows.
 */
export function defaultedParameters({ inputSchema, isForwarded }: Tool, input: ToolInput): readonly string[] {
  const { properties } = inputSchema;
  if (isForwarded === true || !isRecord(properties)) return [];
  return Object.keys(input).filter((name) => {
    const schema = ownValue(properties, name);
    return isRecord(schema) && 'default' in schema && isDeepStrictEqual(schema.default, ownValue(input, name));
  });
}

/** Why the model wants the call, where the tool has a parameter for that. */
export function statedReason({ tool, input }: { readonly tool: Tool; readonly input: ToolInput }): string | undefined {
  const reasons = (tool.reasonParameters ?? []).map((name) => ownValue(input, name));
  return reasons.find((reason): reason is string => typeof reason === 'string' && reason.trim() !== '');
}
