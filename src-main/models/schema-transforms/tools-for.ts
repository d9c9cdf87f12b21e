import { type AnthropicTool, toAnthropicTool } from './anthropic.ts';
import { type GeminiTools, toGeminiTools } from './gemini.ts';
import type { ToolSchemaSource } from './object-root.ts';
import { type OpenAiTool, toOpenAiTool } from './openai.ts';

/** Tools in the form of each family of services. Source: tool catalogue A.10. */
interface WireTools {
  readonly anthropic: readonly AnthropicTool[];
  /** The form of OpenAI, Azure, Copilot, DeepSeek and Groq. */
  readonly openai: readonly OpenAiTool[];
  readonly gemini: readonly GeminiTools[];
}

export type SchemaFamily = keyof WireTools;

const TOOLS: { readonly [F in SchemaFamily]: (tools: readonly ToolSchemaSource[]) => WireTools[F] } = {
  anthropic: (tools) => tools.map(toAnthropicTool),
  openai: (tools) => tools.map(toOpenAiTool),
  gemini: toGeminiTools,
};

/** The service accepts the result for any input schemas. */
export function toolsFor<F extends SchemaFamily>(family: F, tools: readonly ToolSchemaSource[]): WireTools[F] {
  return TOOLS[family](tools);
}
