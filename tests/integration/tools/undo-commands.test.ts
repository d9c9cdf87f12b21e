import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { gateLack } from '../../../src-main/sandbox/installed.ts';
import { NOTHING_NAMED } from '../../../src-preload/contract/events.ts';
import { need, needPosix, needSandbox } from '../../fixtures/machine-needs.ts';
import { yesOnce } from '../../fixtures/memory-ports.ts';
import { standInInternet } from '../../fixtures/stand-in-internet.ts';
import { expectSameTree, treeOf } from '../checkpoints/restore-rig.ts';
import { UndoRig } from './undo-rig.ts';

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# A project\n',
  '.env': 'TOKEN=not-a-secret\n',
  'src/main.py': 'print("hello")\n',
  'src/util/text.py': 'def text():\n    return 1\n',
  'docs/a b.md': 'spaces\n',
  'docs/ü.md': 'umlauts\n',
  'data/empty': '',
  'data/big.bin': 'x'.repeat(400_000),
};

/** A workspace as people have them, with times of last year and an empty folder. */
async function startInProject(): Promise<UndoRig> {
  const rig = await UndoRig.start();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(rig.path(name)), { recursive: true });
    writeFileSync(rig.path(name), text, { mode: name === '.env' ? 0o600 : 0o644 });
  }
  mkdirSync(rig.path('empty/inside'), { recursive: true });
  run(
    rig,
    'ln -s ../README.md docs/link; chmod 755 src/main.py; find . -exec touch -h -d "2025-03-04 05:06:07.123" {} +',
  );
  return rig;
}

function run(rig: UndoRig, line: string): void {
  execFileSync('bash', ['-c', line], { cwd: rig.harness.workspace, stdio: 'ignore' });
}

function inGit(rig: UndoRig): void {
  run(rig, 'git init -q . && git -c user.name=a -c user.email=a@b.example add README.md src docs');
  run(rig, 'git -c user.name=a -c user.email=a@b.example commit -qm first');
  run(rig, 'echo "uncommitted = 1" >> src/main.py; echo new > src/untracked.py');
}

interface Disaster {
  readonly what: string;
  readonly line: string;
  readonly prepare?: (rig: UndoRig) => void;
}

/** Disasters that were published, in the words of a shell. */
const DISASTERS: readonly Disaster[] = [
  { what: 'rm -rf through an unset variable', line: 'rm -rf "$NOT_SET"./*' },
  {
    what: 'a failed archive, followed by its sources’ deletion',
    line: 'tar cf /nowhere/a.tar src docs; rm -rf src docs',
  },
  { what: 'git clean -fdx', line: 'git clean -fdxq', prepare: inGit },
  { what: 'git reset --hard over uncommitted work', line: 'git reset -q --hard', prepare: inGit },
  { what: 'the repository itself is deleted', line: 'rm -rf .git', prepare: inGit },
  { what: 'mv onto a folder', line: 'mv src docs; mv data/big.bin docs/link' },
  { what: 'a redirection by a glob', line: 'for f in docs/*.md; do > "$f"; done' },
  { what: 'a sed that empties files', line: "find . -type f -name '*.py' -exec sed -i d {} +" },
  { what: 'a recursive chmod', line: 'chmod -R 777 .' },
  { what: 'find -delete in the wrong folder', line: 'find . -mindepth 1 -delete' },
  { what: 'a build script that cleans ..', line: 'mkdir -p build && cd build && rm -rf ../src ../docs && touch done' },
];

describe('a disaster', () => {
  it.each(DISASTERS)('$what', async ({ line, prepare }) => {
    const rig = await startInProject();
    prepare?.(rig);
    const before = treeOf(rig.harness.workspace);
    await rig.turn(['oops', 'bash', { command: line }]);
    const after = treeOf(rig.harness.workspace);
    expect(after).not.toEqual(before);
    expect(await rig.undoCall('oops')).toMatchObject({ kind: 'settled', refused: [] });
    expectSameTree(treeOf(rig.harness.workspace), before);
    expect(await rig.redo('oops')).toMatchObject({ kind: 'settled', refused: [] });
    expectSameTree(treeOf(rig.harness.workspace), after);
    expect(await rig.undoCall('oops')).toMatchObject({ kind: 'settled', refused: [] });
    expectSameTree(treeOf(rig.harness.workspace), before);
  });
});

test('a part of what a command did is undone, then the rest', async (context) => {
  needPosix(context);
  const rig = await startInProject();
  const before = treeOf(rig.harness.workspace);
  await rig.turn(['oops', 'bash', { command: 'rm -rf src; echo x > docs/ü.md; touch new' }]);
  const file = rig.path('src/util/text.py');
  expect(await rig.undo({ turnId: null, callId: 'oops', paths: [file] })).toMatchObject({ refused: [] });
  expect(readFileSync(file, 'utf8')).toBe(FILES['src/util/text.py']);
  expect(existsSync(rig.path('src/main.py'))).toBe(false);
  expect(existsSync(rig.path('new'))).toBe(true);
  expect(rig.events('undo')).toMatchObject([{ calls: ['oops'], partly: ['oops'] }]);
  expect(await rig.undoCall('oops')).toMatchObject({ refused: [] });
  expect(readFileSync(rig.path('src/main.py'), 'utf8')).toBe(FILES['src/main.py']);
  expect([...treeOf(rig.harness.workspace).keys()]).toEqual([...before.keys()]);
  expect(rig.events('undo')[1]).not.toHaveProperty('partly');
});

test('what was changed since is left alone, and the rest is undone', async () => {
  const rig = await startInProject();
  await rig.turn(['oops', 'bash', { command: 'echo a > README.md; echo b > src/main.py; rm docs/ü.md' }]);
  writeFileSync(rig.path('README.md'), 'by hand');
  writeFileSync(rig.path('docs/ü.md'), 'by hand, too');
  const outcome = await rig.undoCall('oops');
  expect(outcome).toMatchObject({
    undone: [rig.path('src/main.py')],
    refused: [
      { path: rig.path('README.md'), reason: { code: 'changed_elsewhere' } },
      { path: rig.path('docs/ü.md'), reason: { code: 'changed_elsewhere' } },
    ],
  });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe('by hand');
  expect(rig.events('undo')).toMatchObject([{ partly: ['oops'] }]);
});

test('what was changed since comes back if it is chosen, after a question with the difference, and can be redone', async () => {
  const rig = await startInProject();
  await rig.turn(['oops', 'bash', { command: 'echo a > README.md; echo b > src/main.py' }]);
  writeFileSync(rig.path('README.md'), 'by hand');
  rmSync(rig.path('src/main.py'));
  await rig.undoCall('oops');
  const chosen = { turnId: null, callId: 'oops', replacesOthers: true } as const;
  for (const name of ['README.md', 'src/main.py'])
    expect(await rig.undo({ ...chosen, paths: [rig.path(name)] })).toMatchObject({
      undone: [rig.path(name)],
      refused: [],
    });
  expect(rig.asked.at(-2)).toMatchObject({
    previews: [
      { kind: 'text', text: expect.stringContaining('README.md') },
      { path: rig.path('README.md'), before: 'by hand', after: FILES['README.md'] },
    ],
  });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
  expect(readFileSync(rig.path('src/main.py'), 'utf8')).toBe(FILES['src/main.py']);
  await rig.redo(null);
  await rig.redo(null);
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe('by hand');
  expect(existsSync(rig.path('src/main.py'))).toBe(false);
});

test('a file that changes while its replacement is asked about is asked about again', async () => {
  const rig = await startInProject();
  await rig.turn(['oops', 'bash', { command: 'echo a > README.md' }]);
  writeFileSync(rig.path('README.md'), 'by hand');
  rig.onAsked = async () => {
    if (rig.asked.length === 1) writeFileSync(rig.path('README.md'), 'once more');
    return yesOnce;
  };
  const paths = [rig.path('README.md')];
  await rig.undo({ turnId: null, callId: 'oops', paths, replacesOthers: true });
  expect(rig.asked.map(({ reason }) => reason.code)).toEqual(['undo', 'changed_while_asked']);
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
});

test('a turn of edits and commands of the same files is undone and redone whole', async () => {
  const rig = await startInProject();
  const before = treeOf(rig.harness.workspace);
  const turn = await rig.turn(
    ['w1', 'write_file', { file_path: 'README.md', content: 'first\n' }],
    ['c1', 'bash', { command: 'sed -i s/first/second/ README.md; cp README.md copy.md' }],
    ['w2', 'write_file', { file_path: 'README.md', content: 'third\n' }],
    ['w3', 'write_file', { file_path: 'made/by/tool.txt', content: 'x' }],
    ['c2', 'bash', { command: 'rm copy.md; echo fourth >> README.md' }],
  );
  expect(await rig.undoTurn(turn)).toMatchObject({ refused: [] });
  expect([...treeOf(rig.harness.workspace).keys()]).toEqual([...before.keys()]);
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
  expect(await rig.redo(null)).toMatchObject({ refused: [] });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe('third\nfourth\n');
  expect(readFileSync(rig.path('made/by/tool.txt'), 'utf8')).toBe('x');
  expect(existsSync(rig.path('copy.md'))).toBe(false);
  expect(await rig.undoTurn(turn)).toMatchObject({ refused: [] });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
});

test('an undo of an edit is redone, and undone again', async () => {
  const rig = await startInProject();
  await rig.turn(['w', 'write_file', { file_path: 'README.md', content: 'edited' }]);
  await rig.turn(['n', 'write_file', { file_path: 'new/folder/n.txt', content: 'new' }]);
  await rig.undoCall('w');
  await rig.undoCall('n');
  expect(existsSync(rig.path('new'))).toBe(false);
  expect(await rig.redo('w')).toMatchObject({ undone: [rig.path('README.md')], refused: [] });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe('edited');
  expect(await rig.redo(null)).toMatchObject({ refused: [] });
  expect(readFileSync(rig.path('new/folder/n.txt'), 'utf8')).toBe('new');
  expect(rig.events('redo')).toMatchObject([{ calls: ['w'] }, { calls: ['n'] }]);
  expect(await rig.undoCall('w')).toMatchObject({ refused: [] });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
});

test('an edit is undone even if nothing can be kept for its redo', async () => {
  const rig = await startInProject();
  await rig.turn(['w', 'write_file', { file_path: 'README.md', content: 'edited' }]);
  writeFileSync(join(rig.harness.base, 'profile/checkpoints'), 'no folder');
  expect(await rig.undoCall('w')).toEqual({ kind: 'settled', undone: [rig.path('README.md')], refused: [] });
  expect(readFileSync(rig.path('README.md'), 'utf8')).toBe(FILES['README.md']);
});

test('the page is shown what a command changed, but nothing of a secret file', async () => {
  const rig = await startInProject();
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3BlbnNzaC1rZXktdjE'.repeat(4)}\n`;
  writeFileSync(rig.path('notes'), key);
  await rig.turn([
    'c',
    'bash',
    { command: 'echo x >> README.md; echo OTHER=1 >> .env; rm notes; head -c 9 data/big.bin > z' },
  ]);
  expect(await rig.changeOf('c', rig.path('README.md'))).toEqual({
    kind: 'diff',
    patch: '@@ -1,1 +1,2 @@\n # A project\n+x\n',
  });
  const withheld = { kind: 'none', note: 'It may hold secrets, so the difference is not shown here.' };
  expect(await rig.changeOf('c', rig.path('.env'))).toEqual(withheld);
  expect(await rig.changeOf('c', rig.path('notes'))).toEqual(withheld);
  expect(await rig.changeOf('c', rig.path('src/main.py'))).toMatchObject({ kind: 'none' });
});

test('a redo leaves alone what was changed since the undo', async () => {
  const rig = await startInProject();
  await rig.turn(['c', 'bash', { command: 'echo a > README.md; echo b > src/main.py' }]);
  await rig.undoCall('c');
  writeFileSync(rig.path('README.md'), 'by hand');
  expect(await rig.redo('c')).toMatchObject({
    undone: [rig.path('src/main.py')],
    refused: [{ path: rig.path('README.md'), reason: { code: 'changed_elsewhere' } }],
  });
  await expect(rig.redo('c')).rejects.toThrow('There is nothing here to redo.');
});

test('files whose time alone was changed are not listed', async () => {
  const rig = await startInProject();
  await rig.turn(['t', 'bash', { command: 'touch README.md src/main.py' }]);
  expect(rig.events('changes')).toEqual([]);
  utimesSync(rig.path('README.md'), 1, 1);
});

test('what a command wrote beside text from outside is unreviewed, but for what Git writes by itself, until it is undone', async () => {
  const rig = await startInProject();
  inGit(rig);
  const source = 'https://page.example/';
  rig.storage.events.appendAll(rig.conversationId, 'before', [
    { type: 'user_message', content: [], marks: [{ kind: 'untrusted', source }], named: NOTHING_NAMED },
  ]);
  const commit = 'git -c user.name=a -c user.email=a@b.example commit -qam second';
  await rig.turn(['c', 'bash', { command: `echo all: > Makefile; echo x > .git/hooks/pre-push; ${commit}` }]);
  const unreviewed = () => rig.storage.unreviewedFiles.list().map(({ path, marks }) => [path, marks[0]?.source]);
  expect(unreviewed()).toEqual([
    [rig.path('.git/hooks/pre-push'), source],
    [rig.path('Makefile'), source],
  ]);
  await rig.undoCall('c');
  expect(unreviewed()).toEqual([]);
});

test('what a freely working command fetched and wrote is unreviewed', async (context) => {
  needSandbox(context);
  need(context, gateLack() === undefined, `needs ${gateLack()}`);
  const rig = await startInProject();
  rig.rules = [{ kind: 'work-freely', path: rig.harness.workspace }];
  rig.http = await standInInternet(rig.harness.environment.http);
  await rig.turn(['own', 'bash', { command: 'echo mine > own' }]);
  await rig.turn(['c', 'bash', { command: 'curl -sS http://one.example/ > Makefile' }]);
  expect(readFileSync(rig.path('Makefile'), 'utf8')).toBe('one.example answers\n');
  expect(rig.storage.unreviewedFiles.list().map(({ path }) => path)).toEqual([rig.path('Makefile')]);
});

test('that a folder is not kept because it can be made again is said once in a conversation', async (context) => {
  needPosix(context);
  const rig = await startInProject();
  run(rig, 'echo {} > package.json; mkdir -p node_modules/left-pad; mkfifo pipe');
  await rig.turn(['first', 'bash', { command: 'touch 1' }], ['second', 'bash', { command: 'touch 2' }]);
  const [first, second] = rig.events('changes');
  expect(first?.notKept.map(({ path }) => path).sort()).toEqual([rig.path('node_modules'), rig.path('pipe')]);
  expect(second?.notKept.map(({ path }) => path)).toEqual([rig.path('pipe')]);
});
