import { expect, onTestFinished, test, vi } from 'vitest';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { LineDiffs } from '../../../src-main/policy/line-diff.ts';

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

const change = (before: string | null, after: string) => new DiffPreview({ path: '/w/f', before, after });
const shown = (before: string | null, after: string) => new LineDiffs().of(change(before, after));

test('a change is shown with what stands around it', async () => {
  const before = lines('same', 9);
  const withContext = await shown(before, before.replace('same 4\n', 'other\n'));
  expect(withContext.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'hunk @@ -2,7 +2,7 @@',
    'same same 1',
    'same same 2',
    'same same 3',
    'removed same 4',
    'added other',
    'same same 5',
    'same same 6',
    'same same 7',
  ]);
  expect(await shown('a', 'a')).toEqual([{ kind: 'same', text: '(no change)' }]);
  expect(await shown(null, 'a\nb\n')).toEqual([
    { kind: 'added', text: 'a' },
    { kind: 'added', text: 'b' },
  ]);
});

test('all comparisons of one question share the time limit; the remaining ones are shown in full', async () => {
  // Each look at the clock takes 10 ms, and each step of a comparison looks at it.
  let now = 0;
  for (const clock of [vi.spyOn(Date, 'now'), vi.spyOn(performance, 'now')]) {
    clock.mockImplementation(() => {
      now += 10;
      return now;
    });
    onTestFinished(() => clock.mockRestore());
  }
  const compare = (diffs: LineDiffs) => diffs.of(change(lines('before', 60), lines('after', 60)));
  const kinds = async (diffs: LineDiffs) => new Set((await compare(diffs)).map(({ kind }) => kind));
  const compared = new Set(['hunk', 'removed', 'added']);
  const diffs = new LineDiffs();
  expect(await kinds(diffs)).toEqual(compared);
  expect(await kinds(diffs)).toEqual(new Set(['removed', 'added']));
  expect(await kinds(new LineDiffs())).toEqual(compared);
});
