import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gateCall, gateWith, never, no, User } from '../../fixtures/memory-ports.ts';

test('unreviewed files hold back a command that reaches them through a link', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-links-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [work, other] = [join(folder, 'work'), join(folder, 'other')];
  for (const each of [work, other]) mkdirSync(each);
  symlinkSync(other, join(work, 'lib'));
  const user = new User(() => no);
  const unreviewed = [join(other, 'run.js')];
  const { gate, rules } = gateWith(user, {
    realWorkspace: work,
    unreviewedFiles: {
      inReachOf: (_folder, leavesRoots) => (leavesRoots ? unreviewed : []),
      review: async () => ({ changes: [], hash: '', finish: () => undefined }),
    },
  });
  const command = { kind: 'argv', argv: ['node', 'lib/run.js'] } as const;
  rules.add(
    { label: 'run', tool: null, matcher: { kind: 'exact-command', line: 'node lib/run.js', directory: work } },
    null,
  );
  const call = gateCall({ access: [{ kind: 'command', class: 'execute', command, directory: work }] });
  expect(await gate.authorize(call, never)).toMatchObject({ answer: 'deny', by: 'user' });
  expect(user.asked).toMatchObject([{ reason: { code: 'unreviewed_files', paths: unreviewed } }]);
  // The control: reviewed, and the rule answers.
  unreviewed.length = 0;
  expect(await gate.authorize(call, never)).toMatchObject({ answer: 'allow', by: 'rule' });
});
