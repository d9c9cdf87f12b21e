import { canBePutBack, changesText } from '../../src-preload/contract/changes-text.ts';
import { type FileChanges, notKeptText } from '../../src-preload/contract/file-changes.ts';
import { grouped } from '../base/text.ts';

const MAX_NOT_KEPT = 5;

/** Says once what each call changed: a later list of a call mostly repeats an earlier one. */
export class ChangesLines {
  readonly #said = new Map<string, ReadonlySet<string>>();

  lines(changes: FileChanges): readonly string[] {
    const said = this.#said.get(changes.id);
    const all = linesOf(changes);
    this.#said.set(changes.id, new Set([...(said ?? []), ...all]));
    return all.filter((line) => said?.has(line) !== true);
  }
}

function linesOf(changes: FileChanges): readonly string[] {
  const text = changesText(changes);
  const undo = canBePutBack(changes) ? ` · /undo ${changes.id}` : '';
  return [...(text === '' ? [] : [`  ${text}${undo}`]), ...notKeptLines(changes)];
}

/** What can be made again is no loss. */
function notKeptLines({ notKept }: FileChanges): readonly string[] {
  const lost = notKept.filter(({ why }) => why.code !== 'made_again');
  const more = lost.length - MAX_NOT_KEPT;
  return [
    ...lost
      .slice(0, MAX_NOT_KEPT)
      .map(({ path, why }) => `  Not kept, so its changes can’t be undone: ${path} (${notKeptText(why)})`),
    ...(more > 0 ? [`  Not kept, either: ${grouped(more)} more`] : []),
  ];
}
