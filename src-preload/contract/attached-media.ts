import { ascii, beginsWith, riff } from './file-beginnings.ts';
import type { ModelAbility } from './providers.ts';

/** Files that go to the model as they are: Steward passes their bytes on and never reads what is in them. */
export type MediaKind = 'document' | 'audio';

export interface MediaType {
  readonly kind: MediaKind;
  /** IANA media type. */
  readonly mediaType: 'application/pdf' | 'audio/mpeg' | 'audio/wav';
}

/**
 * The limit for all pictures, PDFs and recordings in one message. As Base64 that is 27 MB of the 32 MB that a request
 * to Claude may have, which is the least of all services:
 * https://platform.claude.com/docs/en/build-with-claude/pdf-support
 */
export const MAX_MEDIA_BYTES = 20_000_000;
/** Bytes from the start of a file that tell its type. */
export const TELLING_BYTES = 12;

/** What a model must be able to do. */
export const ABILITY_FOR = { document: 'documents', audio: 'audio' } as const satisfies Record<MediaKind, ModelAbility>;

const PDF = { kind: 'document', mediaType: 'application/pdf' } as const;
const MP3 = { kind: 'audio', mediaType: 'audio/mpeg' } as const;
const WAV = { kind: 'audio', mediaType: 'audio/wav' } as const;

/** The type that the first bytes show, whatever the file's name says, or null if it is none of these. */
export function mediaTypeOf(beginning: Uint8Array): MediaType | null {
  if (beginsWith(beginning, [[0, ascii('%PDF-')]])) return PDF;
  if (beginsWith(beginning, riff('WAVE'))) return WAV;
  return isMp3(beginning) ? MP3 : null;
}

/** An ID3 tag of version 2 to 4 (https://id3.org/id3v2.3.0), or a frame of MPEG audio, layer III. */
function isMp3([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): boolean {
  if (first === 0x49 && second === 0x44 && third === 0x33) return fourth >= 2 && fourth <= 4;
  const isSync = first === 0xff && (second & 0xe0) === 0xe0;
  const hasVersion = (second & 0x18) !== 0x08;
  const isLayer3 = (second & 0x06) === 0x02;
  const hasRates = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  return isSync && hasVersion && isLayer3 && hasRates;
}
