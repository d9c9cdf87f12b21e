import type { ToolResultBlock } from '../messages.ts';
import { Followed, GeminiCleaner, type GeminiSchema } from './gemini-cleaner.ts';
import { adoptProperties, describedWith, foldedNote, noteOnType, type ToolSchemaSource } from './object-root.ts';
import { rememberedBySource } from './remembered.ts';

/**
 * Tools in the form of Gemini's `generateContent`. A single unknown keyword anywhere makes it reject all tools, so
 * schemas are rebuilt from the known ones (`gemini-cleaner.ts`). Source: tool catalogue A.10.
 */
export interface GeminiTools {
  readonly functionDeclarations: readonly GeminiFunction[];
}

export interface GeminiFunction {
  readonly name: string;
  readonly description: string;
  /** Absent if there are none, because the service answers `should be non-empty for OBJECT type`. */
  readonly parameters?: GeminiSchema;
}

export interface GeminiToolResult {
  readonly functionResponse: { readonly name: string; readonly response: { readonly result: string } };
}

/**
 * Returns one entry with all functions. If there are no functions, there is no entry, because the service would reject
 * it.
 */
export function toGeminiTools(tools: readonly ToolSchemaSource[]): readonly GeminiTools[] {
  return tools.length === 0 ? [] : [{ functionDeclarations: tools.map(toGeminiFunction) }];
}

/**
 * Puts the result into a field as text, never as parsed JSON, in which a `$ref` would be taken for a reference.
 * `toolName` is in wire form.
 */
export function geminiToolResult({ content }: ToolResultBlock, toolName: string): GeminiToolResult {
  return { functionResponse: { name: toolName, response: { result: content } } };
}

function toGeminiFunction(tool: ToolSchemaSource): GeminiFunction {
  const { parameters, notes } = geminiParameters(tool.inputSchema);
  const description = describedWith(tool, notes);
  return { name: tool.name, description, ...(parameters === undefined ? {} : { parameters }) };
}

interface Transformed {
  readonly parameters: GeminiSchema | undefined;
  readonly notes: readonly string[];
}

const geminiParameters = rememberedBySource((source: unknown): Transformed => {
  const cleaner = new GeminiCleaner(source);
  const document = new Followed();
  document.add('#');
  const { node: root, refs } = cleaner.flatten(source, document);
  const notes: string[] = [];
  for (const combinator of ['oneOf', 'anyOf'] as const) {
    const alternatives = root[combinator];
    if (!Array.isArray(alternatives)) continue;
    notes.push(foldedNote(combinator, alternatives));
    const flat = alternatives.map((alternative) => cleaner.flatten(alternative, refs).node);
    adoptProperties(root, flat, { areAllNeeded: false });
  }
  notes.push(...noteOnType(root.type));
  const parameters = cleaner.ofType('object', root, refs, 0);
  if (parameters.properties !== undefined) return { parameters, notes };
  // The root is a map, which can only be described in words.
  return {
    parameters: undefined,
    notes: parameters.description === undefined ? notes : [...notes, parameters.description],
  };
});
