import type { AssistantBlock, MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { ownValue } from '../../base/json.ts';
import { isBase64, type MediaAcceptance, withAcceptedMedia } from '../accepted-media.ts';
import type { Message, ToolResultBlock, UserMessage } from '../messages.ts';
import { type GeminiToolResult, geminiToolResult } from '../schema-transforms/gemini.ts';
import { withIntegersAsText } from '../transport/integers-as-text.ts';
import type { RefusedParts } from '../transport/refused-parts.ts';
import type { GeminiModel } from './catalogue.ts';

/** Source: https://ai.google.dev/api/caching#Content */
export interface Content {
  readonly parts: readonly Part[];
  readonly role: 'user' | 'model';
}

interface Part {
  readonly functionCall?: {
    readonly args: Readonly<Record<string, unknown>>;
    readonly id?: string;
    readonly name: string;
  };
  readonly functionResponse?: FunctionResponse;
  readonly inlineData?: InlineData;
  readonly text?: string;
  readonly thought?: boolean;
  thoughtSignature?: string;
}

type FunctionResponse = GeminiToolResult['functionResponse'] & {
  readonly id?: string;
  readonly parts?: readonly { readonly inlineData: InlineData }[];
};

interface InlineData {
  readonly mimeType: string;
  readonly data: string;
}

export interface ContentsOptions {
  readonly model: Pick<GeminiModel, 'isStrict'>;
  readonly refused: Pick<RefusedParts, 'refusesSignature'>;
}

/**
 * A content that is being put together. `results` are answers to the calls of the content before; the service demands
 * that nothing else is in it.
 */
interface Draft {
  readonly kind: 'model' | 'results' | 'user';
  readonly parts: Part[];
}

/**
 * The service accepts this in place of a signature for calls that it did not sign itself: those of another model, or
 * those whose signature it refused. Source: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const UNSIGNED = 'skip_thought_signature_validator';

/**
 * Source: https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats, …/audio, …/document-processing
 */
const ACCEPTED: Readonly<Record<MediaBlock['type'], ReadonlySet<string>>> = {
  image: new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']),
  audio: new Set(['audio/wav', 'audio/mp3', 'audio/mpeg', 'audio/aiff', 'audio/aac', 'audio/ogg', 'audio/flac']),
  document: new Set(['application/pdf']),
};
/**
 * The types that a result may hold; other parts stand beside it. Source:
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
const IN_RESULTS = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']);

const accepts = (media: MediaBlock) => ACCEPTED[media.type].has(mimeType(media)) && isBase64(media.data);
const ACCEPTANCE: MediaAcceptance = { inMessage: accepts, inResult: accepts };

/** Turns our history into the contents of a request. */
export function geminiContents(messages: readonly Message[], options: ContentsOptions): Content[] {
  const { isStrict } = options.model;
  const names = new Map<string, string>();
  const drafts: Draft[] = [];
  const add = (kind: Draft['kind'], parts: readonly Part[]) => {
    if (parts.length === 0) return;
    const last = drafts.at(-1);
    if (last?.kind === kind) last.parts.push(...parts);
    else drafts.push({ kind, parts: [...parts] });
  };
  for (const message of withAcceptedMedia(messages, ACCEPTANCE)) {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
      add(
        'model',
        message.content.flatMap((block) => assistantPart(block, options)),
      );
    } else {
      add('results', resultParts(message, names, isStrict));
      add('user', message.content.flatMap(userPart));
    }
  }
  if (isStrict) signCalls(drafts);
  return drafts.map(({ kind, parts }) => ({ parts, role: kind === 'model' ? 'model' : 'user' }));
}

function assistantPart(block: AssistantBlock, { model, refused }: ContentsOptions): Part[] {
  const signed = (signature: string | undefined) =>
    signature === undefined || signature === '' || refused.refusesSignature(signature)
      ? undefined
      : { thoughtSignature: signature };
  switch (block.type) {
    case 'text': {
      const signature = signed(block.signature);
      return isBlank(block.text) && signature === undefined ? [] : [{ text: block.text, ...signature }];
    }
    case 'thinking': {
      const signature = signed(block.signature);
      if (signature === undefined) return [];
      // A signature that came in a part of its own (see the answer assembler) goes back in one.
      return [{ text: block.thinking, ...(block.thinking === '' ? {} : { thought: true }), ...signature }];
    }
    case 'redacted_thinking':
      return [];
    case 'tool_use': {
      const { id, name, input } = block;
      return [
        {
          functionCall: { args: withIntegersAsText(input), ...(model.isStrict ? { id } : {}), name },
          ...signed(block.signature),
        },
      ];
    }
  }
}

/** Results come first, then the parts that they can't hold themselves. */
function resultParts({ content }: UserMessage, names: ReadonlyMap<string, string>, isStrict: boolean): Part[] {
  const beside: Part[] = [];
  const results = content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { media = [] } = block;
    const inside = isStrict ? media.filter((each) => IN_RESULTS.has(mimeType(each))) : [];
    beside.push(...media.filter((each) => !inside.includes(each)).map(mediaPart));
    return [{ functionResponse: functionResponse(block, names.get(block.toolUseId) ?? 'unknown', inside, isStrict) }];
  });
  return [...results, ...beside];
}

function functionResponse(
  block: ToolResultBlock,
  name: string,
  media: readonly MediaBlock[],
  isStrict: boolean,
): FunctionResponse {
  const shown = isBlank(block.content) ? { ...block, content: NO_OUTPUT } : block;
  return {
    ...(isStrict ? { id: block.toolUseId } : {}),
    ...geminiToolResult(shown, name).functionResponse,
    ...(media.length === 0 ? {} : { parts: media.map((each) => ({ inlineData: inlineData(each) })) }),
  };
}

function userPart(block: UserMessage['content'][number]): Part[] {
  switch (block.type) {
    case 'tool_result':
      return [];
    case 'text':
      return isBlank(block.text) ? [] : [{ text: block.text }];
    default:
      return [mediaPart(block)];
  }
}

/**
 * The service checks only what came since the user's last message: there, the first call of each answer must be signed.
 */
function signCalls(drafts: readonly Draft[]): void {
  const lastOfUser = drafts.findLastIndex(({ kind }) => kind === 'user');
  for (const { kind, parts } of drafts.slice(lastOfUser + 1)) {
    const call = kind === 'model' ? parts.find((part) => part.functionCall !== undefined) : undefined;
    if (call !== undefined) call.thoughtSignature ??= UNSIGNED;
  }
}

function mediaPart(media: MediaBlock): Part {
  return { inlineData: inlineData(media) };
}

function inlineData(media: MediaBlock): InlineData {
  return { mimeType: mimeType(media), data: media.data };
}

function mimeType({ mediaType }: MediaBlock): string {
  const [type = ''] = mediaType.toLowerCase().split(';');
  return ownValue(COMMON_NAMES, type.trim()) ?? type.trim();
}

const COMMON_NAMES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
};

function isBlank(text: string): boolean {
  return text.trim() === '';
}
