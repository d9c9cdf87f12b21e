import { createHash } from 'node:crypto';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { isBase64, type MediaAcceptance } from '../accepted-media.ts';
import type { Message } from '../messages.ts';
import type { OpenAiModel } from './catalogue.ts';

/** This file has what Chat Completions and Responses write alike. */

/** Source: https://developers.openai.com/api/docs/guides/images-vision */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/gif']);
/** The media types that `input_audio` takes, with its word for each as `format`. */
const AUDIO_FORMATS: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** `inResult` lists the types of parts that the API takes in a tool's result, or behind it. */
export function acceptance(accepts: OpenAiModel['accepts'], inResult: readonly MediaBlock['type'][]): MediaAcceptance {
  const isAccepted = (media: MediaBlock): boolean => {
    if (!isBase64(media.data)) return false;
    switch (media.type) {
      case 'image':
        return accepts.images && IMAGE_TYPES.has(media.mediaType);
      case 'audio':
        return accepts.audio && audioFormat(media.mediaType) !== undefined;
      case 'document':
        return accepts.documents && media.mediaType === 'application/pdf';
    }
  };
  return { inMessage: isAccepted, inResult: (media) => inResult.includes(media.type) && isAccepted(media) };
}

export function dataUrl({ mediaType, data }: MediaBlock): string {
  return `data:${mediaType === 'image/jpg' ? 'image/jpeg' : mediaType};base64,${data}`;
}

export function audioFormat(mediaType: string): 'wav' | 'mp3' | undefined {
  return Object.hasOwn(AUDIO_FORMATS, mediaType) ? AUDIO_FORMATS[mediaType] : undefined;
}

/** The services require a name for a file, and judge the file by how it ends. */
export function fileName(media: MediaBlock): string {
  const name = (media.type === 'document' ? media.name : undefined) ?? 'document';
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/**
 * Shortens the id of a call. The service answers `string too long. Expected a string with maximum length 40`, and ids
 * of other providers may be longer.
 */
export function wireCallId(id: string): string {
  return id.length <= 40 ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** The history may hold a call whose name no tool has, which would fail the request. */
export function wireToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}

/**
 * Requests of one conversation begin alike and share a cache. The service routes them to it by this key, which says
 * nothing of their content. Source: https://developers.openai.com/api/docs/guides/prompt-caching
 */
export function promptCacheKey(system: string, messages: readonly Message[]): string {
  const beginning = JSON.stringify([system, messages[0] ?? null]);
  return createHash('sha256').update(beginning).digest('hex').slice(0, 32);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}
