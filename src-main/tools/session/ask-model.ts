import { z } from 'zod';
import { firstCharacters } from '../../base/text.ts';
import { TEXT_LENGTH } from '../argument-limits.ts';
import { FixableError, type Tool, ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { requestAccess } from '../web/http-calls.ts';

/** The rest of the description must fit beside it (tool catalogue A.1). */
const MAX_OWN_TEXT_LENGTH = 500;
const PROMPT_REQUIRED = 'Error: prompt parameter is required';

/** A provider of config.json, as a tool. */
export interface AskedProvider {
  /** The name of the tool. */
  readonly name: string;
  /** The provider's name in config.json. */
  readonly provider: string;
  /** The id of its model. */
  readonly model: string;
  /** The user's own words about it. */
  readonly description: string | undefined;
  /** Limit for each answer, unless the call says otherwise. */
  readonly maxTokens: number;
  /** The provider's current base URL, or undefined if it was removed or is not confirmed any more. */
  readonly address: () => string | undefined;
}

/** Source: tool catalogue E. */
export function askModelTool({ name, provider, model, description, maxTokens, address }: AskedProvider): Tool {
  return defineTool({
    name,
    access: 'network',
    asks: provider,
    errorPrefix: 'Error: ',
    description: `Ask the model ${model} of the provider ${provider} for a second opinion or another perspective.${ownText(description)} It knows nothing of this conversation: put all it needs into the prompt. It can use the same tools as you.`,
    longest: { prompt: TEXT_LENGTH },
    input: z.object({
      prompt: z.string().describe('The question or task, with everything needed to answer it'),
      max_tokens: z.number().min(1).default(maxTokens).describe('The most tokens of its answer'),
    }),
    aliases: { query: 'prompt' },
    requiredTexts: { prompt: PROMPT_REQUIRED },
    strictParameters: ['max_tokens'],
    undo: 'nothing',
    words: {
      title: `Ask ${provider}`,
      done: `Asked ${provider}`,
      asked: `Ask the model of ${provider}?`,
      icon: 'sparkles',
      about: ['prompt'],
    },
    async assess({ prompt, max_tokens }, context) {
      // Services refuse a message of blanks.
      if (prompt.trim() === '') throw new ToolFailure(PROMPT_REQUIRED);
      const at = address();
      if (at === undefined) throw new FixableError(failedToConnect(provider));
      const { access } = requestAccess({ url: at, method: 'POST' }, context, { service: 'model', carries: 'body' });
      return { access, plan: { prompt, maxTokens: Math.floor(max_tokens), address: at } };
    },
    execute: (plan, { askModel }) => askModel({ provider, ...plan }),
  });
}

/** The text without `Error: `. Source: tool catalogue E. */
export function failedToConnect(provider: string): string {
  return `Failed to connect to provider: ${provider}`;
}

function ownText(description = ''): string {
  const text = description.trim();
  if (text === '') return '';
  return ` ${firstCharacters(text, MAX_OWN_TEXT_LENGTH)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
