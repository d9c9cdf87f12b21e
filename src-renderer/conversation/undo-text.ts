import type { UndoResult } from '../../src-preload/contract/conversations.ts';
import { filesText } from '../../src-preload/contract/files-text.ts';
import { type UndoRefusal, undoRefusalText } from '../../src-preload/contract/undo-refusal.ts';
import { pathFrom } from './path-from.ts';

const MAX_NAMED = 3;

interface Wording {
  readonly nothing: string;
  readonly done: (files: string) => string;
  readonly notDone: string;
}

const UNDO: Wording = {
  nothing: 'Nothing was restored.',
  done: (files) => `Restored ${files}.`,
  notDone: 'not restored',
};
const REDO: Wording = {
  nothing: 'Nothing was changed again.',
  done: (files) => `Changed ${files} again.`,
  notDone: 'left',
};

/** `Restored 2 files. notes.txt was left: you or another program has changed it since.` */
export function undoResultText(result: UndoResult, workspace: string): string {
  return resultText(result, workspace, UNDO);
}

/** `Changed 2 files again.` */
export function redoResultText(result: UndoResult, workspace: string): string {
  return resultText(result, workspace, REDO);
}

function resultText({ undone, counts, refused }: UndoResult, workspace: string, wording: Wording): string {
  const [only = ''] = undone;
  const files =
    undone.length === 1 ? pathFrom(workspace, only) : filesText(counts ?? { files: undone.length, folders: 0 });
  const more = refused.length - MAX_NAMED;
  return [
    undone.length === 0 ? wording.nothing : wording.done(files),
    ...refused.slice(0, MAX_NAMED).map((each) => leftText(each, workspace)),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'was' : 'were'} ${wording.notDone}.`] : []),
  ].join(' ');
}

/** `notes.txt was left: it has since been deleted.` */
export function leftText({ path, reason }: UndoRefusal, workspace: string): string {
  return `${pathFrom(workspace, path)} was left: ${undoRefusalText(reason).replace(/\.$/, '')}.`;
}
