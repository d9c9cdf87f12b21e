import { readFileSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import type { ShownChange } from '../../../src-preload/contract/conversations.ts';
import { isImage } from '../../../src-preload/contract/image-bytes.ts';
import type { ContentStore } from '../content-store.ts';
import type { EntryState } from '../entry-state.ts';
import { textIn } from '../kept-text.ts';
import type { LookPlace } from '../look.ts';
import { type TransitionRow, transitionOf } from '../stored-changes.ts';

export interface ChangeAsked {
  readonly conversationId: string;
  readonly callId: string;
  /** A real path. */
  readonly path: string;
}

const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const COMPARING_MS = 1_000;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** What a command changed in one file, as it was right before and right after it. */
export function changeOf({ store, contents }: LookPlace, { conversationId, callId, path }: ChangeAsked): ShownChange {
  const row = store
    .statement<TransitionRow>(
      `SELECT changes.path, before, after FROM changes JOIN commands ON commands.num = command
       WHERE conversation = ? AND call = ? AND changes.path = ? ORDER BY command DESC`,
    )
    .get(conversationId, callId, path);
  if (row === undefined) return { kind: 'none', note: 'This change is no longer kept.' };
  const { from, to } = transitionOf(row);
  return shownPictures(contents, from, to) ?? shownDiff(contents, from, to);
}

function shownDiff(contents: ContentStore, from: EntryState, to: EntryState): ShownChange {
  if (from.kind === 'link' || to.kind === 'link')
    return { kind: 'none', note: [linkText('It led to', from), linkText('It leads to', to)].join(' ').trim() };
  const before = textIn(contents, from);
  const after = textIn(contents, to);
  if (before === undefined || after === undefined)
    return { kind: 'none', note: 'It is no text, or too long to be shown.' };
  const patch = createTwoFilesPatch('', '', before ?? '', after ?? '', '', '', { context: 3, timeout: COMPARING_MS });
  if (patch === undefined) return { kind: 'none', note: 'It differs too much to be shown.' };
  // Without the header: the card names the file.
  return { kind: 'diff', patch: patch.slice(Math.max(0, patch.indexOf('@@'))) };
}

function linkText(words: string, state: EntryState): string {
  return state.kind === 'link' ? `${words} ${state.target}.` : '';
}

function shownPictures(contents: ContentStore, from: EntryState, to: EntryState): ShownChange | undefined {
  const before = pictureIn(contents, from);
  const after = pictureIn(contents, to);
  if (before === undefined || after === undefined || (before === null && after === null)) return undefined;
  return { kind: 'picture', before, after };
}

/** A data URL; null if there is no file, undefined if it is no picture. */
function pictureIn(contents: ContentStore, state: EntryState): string | null | undefined {
  if (state.kind === 'absent') return null;
  if (state.kind !== 'file' || state.digest === null || state.size > MAX_PICTURE_BYTES) return undefined;
  const content = contents.get(state.digest);
  if (content === undefined) return undefined;
  const bytes = 'bytes' in content ? content.bytes : readFileSync(content.file);
  const type = PICTURES.find((each) => isImage(bytes, each));
  return type && `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
