import type { ConsentRequest } from './consent.ts';

/** Characters that are made visible, broken and joined in the time of a frame or two. */
const MOST_CHARACTERS = 60_000;
/** Comparing takes, at the worst, the square of it. */
const MOST_COMPARED_LINES = 1_500;

/** Whether it takes so long to lay a question out that the window would not answer meanwhile. */
export function isLongQuestion(request: ConsentRequest): boolean {
  const left = { characters: MOST_CHARACTERS };
  count(
    request.kind === 'tool' ? request.input : request.kind === 'grant' ? [request.value, request.previous] : [],
    left,
  );
  if (request.kind !== 'grant') count([request.previews, request.kind === 'undo' ? request.refused : []], left);
  return left.characters < 0 || (request.kind !== 'grant' && comparedLines(request.previews) > MOST_COMPARED_LINES);
}

/** Stops counting where there are too many; what is asked is never nested deep (`base/bounded-json.ts`). */
function count(value: unknown, left: { characters: number }): void {
  if (left.characters < 0) return;
  if (typeof value === 'string') left.characters -= value.length;
  else if (typeof value !== 'object' || value === null) left.characters -= 8;
  else {
    for (const [key, member] of Object.entries(value)) {
      left.characters -= key.length + 8;
      count(member, left);
    }
  }
}

function comparedLines(previews: Extract<ConsentRequest, { kind: 'tool' }>['previews']): number {
  let lines = 0;
  for (const preview of previews)
    if (preview.kind === 'diff' && preview.before !== null)
      lines += preview.before.split('\n').length + preview.after.split('\n').length;
  return lines;
}
