import type { UndoResult } from '../../src-preload/contract/conversations.ts';
import { type UndoRefusal, undoRefusalText } from '../../src-preload/contract/undo-refusal.ts';
import { counted } from '../ui/amounts.ts';
import { pathFrom } from './path-from.ts';

const MAX_NAMED = 3;

/** `Restored 2 files. notes.txt was left: you or another program has changed it since.` */
export function undoResultText({ undone, refused }: UndoResult, workspace: string): string {
  const [only = ''] = undone;
  const restored = undone.length === 1 ? pathFrom(workspace, only) : counted(undone.length, 'file');
  const more = refused.length - MAX_NAMED;
  return [
    undone.length === 0 ? 'Nothing was restored.' : `Restored ${restored}.`,
    ...refused.slice(0, MAX_NAMED).map((each) => leftText(each, workspace)),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'was' : 'were'} not restored.`] : []),
  ].join(' ');
}

/** `notes.txt was left: it has since been deleted.` */
export function leftText({ path, reason }: UndoRefusal, workspace: string): string {
  return `${pathFrom(workspace, path)} was left: ${undoRefusalText(reason).replace(/\.$/, '')}.`;
}
