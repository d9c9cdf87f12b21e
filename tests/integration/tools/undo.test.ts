import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldHistory } from '../../../src-main/assistant/history.ts';
import { NothingToUndo } from '../../../src-main/assistant/undo/undo.ts';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { openWritable } from '../../../src-main/storage/database/connection.ts';
import { MAX_IMAGE_BYTES } from '../../../src-main/storage/records/before-images.ts';
import type { UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { no, yesOnce } from '../../fixtures/memory-ports.ts';
import { append, UndoRig, write } from './undo-rig.ts';

const done = (...undone: string[]) => ({ kind: 'settled', undone, refused: [] });
const refused = (path: string, reason: UndoRefusalReason) => ({
  kind: 'settled',
  undone: [],
  refused: [{ path, reason }],
});

test('a replaced file comes back with its bytes and its mode, whatever they were', async () => {
  const rig = await UndoRig.start();
  const contents = {
    'text.txt': Buffer.from('one\r\ntwo\n'),
    'utf16.txt': Buffer.from('\ufeffzwölf\r\n', 'utf16le'),
    'bom.txt': Buffer.from('\ufeffbom\n', 'utf8'),
    'bytes.bin': Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256)),
    'empty.txt': Buffer.alloc(0),
  };
  for (const [index, [name, bytes]] of Object.entries(contents).entries()) {
    rig.harness.put(name, bytes);
    chmodSync(rig.path(name), [0o755, 0o600, 0o644, 0o640, 0o444 | 0o200][index] ?? 0o644);
  }
  const modes = Object.keys(contents).map((name) => statSync(rig.path(name)).mode);
  const turn = await rig.turn(...Object.keys(contents).map((name, index) => write(`w${index}`, name, 'replaced')));
  expect(rig.events('tool_result').map(({ changed }) => changed)).toEqual(Object.keys(contents).map((name) => [name]));

  const outcome = await rig.undoTurn(turn);
  expect(outcome).toEqual(
    done(
      ...Object.keys(contents)
        .reverse()
        .map((name) => rig.path(name)),
    ),
  );
  for (const [name, bytes] of Object.entries(contents))
    expect(readFileSync(rig.path(name)).equals(bytes), name).toBe(true);
  expect(Object.keys(contents).map((name) => statSync(rig.path(name)).mode)).toEqual(modes);
  expect(readdirSync(rig.harness.workspace).sort()).toEqual(Object.keys(contents).sort());
});

test('an appended file comes back in its own encoding', async () => {
  const rig = await UndoRig.start();
  const bytes = Buffer.from('\ufeffgrüße\n', 'utf16le');
  rig.harness.put('a.txt', bytes);
  await rig.turn(append('a', 'a.txt', 'mehr\n'));
  expect(readFileSync(rig.path('a.txt'), 'utf16le')).toBe('\ufeffgrüße\nmehr\n');
  expect(await rig.undoCall('a')).toEqual(done(rig.path('a.txt')));
  expect(readFileSync(rig.path('a.txt')).equals(bytes)).toBe(true);
});

test('permissions changed since then are restored too, and the question says so', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('run.sh', 'echo 1\n');
  chmodSync(rig.path('run.sh'), 0o755);
  await rig.turn(write('w', 'run.sh', 'echo 2\n'));
  chmodSync(rig.path('run.sh'), 0o600);
  expect(await rig.undoCall('w')).toEqual(done(rig.path('run.sh')));
  expect(rig.asked[0]?.previews).toMatchObject([{ note: 'Its permissions are set back to 755.' }]);
  expect(statSync(rig.path('run.sh')).mode & 0o777).toBe(0o755);
});

test('a file that a call created goes, with the folders that it made, as far as nothing else is in them', async () => {
  const rig = await UndoRig.start();
  mkdirSync(rig.path('there'));
  const turn = await rig.turn(
    write('deep', 'there/a/b/c.txt', 'new'),
    write('beside', 'there/a/d.txt', 'new'),
    write('other', 'x/y/z.txt', 'new'),
  );
  writeFileSync(rig.path('x/mine.txt'), 'mine');
  const outcome = await rig.undoTurn(turn);
  expect(outcome).toEqual(done(...['x/y/z.txt', 'there/a/d.txt', 'there/a/b/c.txt'].map((name) => rig.path(name))));
  expect(readdirSync(rig.path('there'))).toEqual([]);
  expect(readdirSync(rig.path('x'))).toEqual(['mine.txt']);
  expect(rig.asked[0]?.previews.at(-1)).toEqual({
    kind: 'diff',
    path: rig.path('there/a/b/c.txt'),
    before: 'new',
    after: '',
    note: `This file did not exist before, so it is deleted. So are these folders, if nothing else is in them: ${rig.path('there/a')}, ${rig.path('there/a/b')}.`,
  });
});

test('what the user saw whole and allowed in this session need not be read to its end again', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'zero\n');
  rig.allows = allowAll;
  const turn = await rig.turn(write('w', 'a.txt', 'one\n'), write('new', 'b.txt', 'new\n'));
  await rig.undoTurn(turn);
  expect(rig.asked.map(({ wasShown }) => wasShown)).toEqual([true]);
});

test.each<[string, (rig: UndoRig) => Promise<unknown>]>([
  ['nobody was asked about it', (rig) => rig.turn(write('w', 'a.txt', 'one\n'))],
  [
    'it was changed twice, so the way back was never shown',
    async (rig) => {
      rig.allows = allowAll;
      await rig.turn(write('v', 'a.txt', 'half\n'), write('w', 'a.txt', 'one\n'));
    },
  ],
  [
    'its permissions are set back, too',
    async (rig) => {
      rig.allows = allowAll;
      await rig.turn(write('w', 'a.txt', 'one\n'));
      chmodSync(rig.path('a.txt'), 0o600);
    },
  ],
  [
    'only an earlier change was shown',
    async (rig) => {
      rig.allows = allowAll;
      await rig.turn(write('w', 'a.txt', 'one\n'));
      writeFileSync(rig.path('a.txt'), 'zero\n');
      rig.allows = flagConsent('all');
      await rig.turn(write('x', 'a.txt', 'one\n'));
    },
  ],
])('an undo is read to its end if %s', async (_, change) => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'zero\n');
  await change(rig);
  const { turnId } = rig.events('tool_call').at(-1) ?? { turnId: '' };
  await rig.undoTurn(turnId);
  expect(rig.asked).not.toEqual([]);
  for (const request of rig.asked) expect(request).not.toHaveProperty('wasShown');
});

test('several changes of one file: the turn goes back before the first; the first alone not while the second stands', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'zero\n');
  const turn = await rig.turn(write('w', 'a.txt', 'one\n'), append('a', 'a.txt', 'two\n'));
  const path = rig.path('a.txt');
  expect(await rig.undoCall('w')).toEqual(refused(path, { code: 'changed_by_call', tool: 'append_file' }));
  expect(rig.asked).toEqual([]);
  expect(await rig.undoTurn(turn)).toEqual(done(path));
  expect(readFileSync(path, 'utf8')).toBe('zero\n');
  expect(rig.asked[0]?.previews).toEqual([{ kind: 'diff', path, before: 'one\ntwo\n', after: 'zero\n' }]);
  expect(rig.events('undo')).toMatchObject([{ calls: ['a', 'w'], paths: [path] }]);
});

test('undone one by one, newest first, each step is right', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'zero\n');
  await rig.turn(write('w', 'a.txt', 'one\n'));
  await rig.turn(append('a', 'a.txt', 'two\n'));
  await rig.turn(write('again', 'a.txt', 'one\n'));
  // The content is the same as after "w", but the call did not write it.
  expect(await rig.undoCall('w')).toMatchObject({ undone: [] });
  for (const [id, expected] of [
    ['again', 'one\ntwo\n'],
    ['a', 'one\n'],
    ['w', 'zero\n'],
  ] as const) {
    expect(await rig.undoCall(id)).toEqual(done(rig.path('a.txt')));
    expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe(expected);
  }
  expect(await rig.undoCall('w')).toEqual(refused(rig.path('a.txt'), { code: 'already_undone' }));
});

test('a change that someone else reverted does not block undoing an older one', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'zero');
  await rig.turn(write('first', 'a.txt', 'one'), write('second', 'a.txt', 'two'));
  writeFileSync(rig.path('a.txt'), 'one');
  expect(await rig.undoCall('second')).toEqual(refused(rig.path('a.txt'), { code: 'as_before' }));
  expect(await rig.undoCall('first')).toEqual(done(rig.path('a.txt')));
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('zero');
});

test('a file that is not as the call left it is refused with a reason, without asking or touching it', async () => {
  const rig = await UndoRig.start({ folders: ['granted'] });
  const granted = join(rig.harness.base, 'granted');
  const names = ['edited', 'deleted', 'folder', 'link', 'elsewhere/file', 'granted'] as const;
  const paths = Object.fromEntries(names.map((name) => [name, rig.path(name)])) as Record<
    (typeof names)[number],
    string
  >;
  paths.granted = join(granted, 'file');
  for (const name of names) {
    mkdirSync(join(paths[name], '..'), { recursive: true });
    writeFileSync(paths[name], 'before');
  }
  const turn = await rig.turn(...names.map((name) => write(name, paths[name], 'after')));
  writeFileSync(paths.edited, 'by hand');
  rmSync(paths.deleted);
  rmSync(paths.folder);
  mkdirSync(paths.folder);
  renameSync(paths.link, rig.path('moved'));
  symlinkSync('moved', paths.link);
  renameSync(rig.path('elsewhere'), rig.path('real'));
  symlinkSync('real', rig.path('elsewhere'));
  rig.grantNothing();

  const outcome = await rig.undoTurn(turn);
  expect(
    outcome.kind === 'settled' && Object.fromEntries(outcome.refused.map(({ path, reason }) => [path, reason])),
  ).toEqual({
    [paths.edited]: { code: 'changed_elsewhere' },
    [paths.deleted]: { code: 'deleted' },
    [paths.folder]: { code: 'folder_in_its_place' },
    [paths.link]: { code: 'leads_elsewhere' },
    [paths['elsewhere/file']]: { code: 'leads_elsewhere' },
    [paths.granted]: { code: 'outside_roots' },
  });
  expect(rig.asked).toEqual([]);
  expect(readFileSync(paths.edited, 'utf8')).toBe('by hand');
  expect(readFileSync(paths.granted, 'utf8')).toBe('after');
  expect(readFileSync(rig.path('real/file'), 'utf8')).toBe('after');
});

test('a turn that can be undone in part: the question says what goes back, what stays and why', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'a');
  rig.harness.put('b.txt', 'b');
  const turn = await rig.turn(
    write('a', 'a.txt', 'A'),
    write('b', 'b.txt', 'B'),
    ['run', 'bash', { command: 'echo hello' }],
    ['read', 'read_file', { path: 'a.txt' }],
  );
  writeFileSync(rig.path('b.txt'), 'by hand');
  const stays = [
    { path: rig.path('b.txt'), reason: { code: 'changed_elsewhere' } },
    { path: 'bash', reason: { code: 'not_by_undo' } },
  ];
  expect(await rig.undoTurn(turn)).toEqual({ kind: 'settled', undone: [rig.path('a.txt')], refused: stays });
  expect(rig.asked).toMatchObject([
    {
      subject: 'turn',
      previews: [{ path: rig.path('a.txt'), before: 'A', after: 'a' }],
      refused: stays,
      conversationId: rig.conversationId,
      reason: { code: 'undo', tools: ['write_file'] },
    },
  ]);
});

test('a symlink: its target is restored, and it stays a link', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('real.txt', 'before');
  symlinkSync('real.txt', rig.path('link.txt'));
  await rig.turn(write('w', 'link.txt', 'after'));
  expect(rig.events('tool_result')[0]?.changed).toEqual(['link.txt']);
  expect(await rig.undoCall('w')).toEqual(done(rig.path('real.txt')));
  expect(readFileSync(rig.path('link.txt'), 'utf8')).toBe('before');
  expect(readdirSync(rig.harness.workspace, { withFileTypes: true }).map((entry) => entry.isSymbolicLink())).toEqual([
    true,
    false,
  ]);
});

test('no is no: nothing changes, and the log says nothing of it', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'before');
  await rig.turn(write('w', 'a.txt', 'after'));
  rig.onAsked = async () => no;
  expect(await rig.undoCall('w')).toEqual({ kind: 'declined', reason: { code: 'declined' } });
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('after');
  expect(rig.events('undo')).toEqual([]);
  rig.onAsked = async () => yesOnce;
  expect(await rig.undoCall('w')).toEqual(done(rig.path('a.txt')));
});

test('a file that changes while the user is asked is asked about again, or refused', async () => {
  const rig = await UndoRig.start();
  for (const name of ['a.txt', 'b.txt']) rig.harness.put(name, 'before');
  const turn = await rig.turn(write('a', 'a.txt', 'after'), write('b', 'b.txt', 'after'));
  rig.onAsked = async () => {
    writeFileSync(rig.path('a.txt'), 'by hand');
    return yesOnce;
  };
  expect(await rig.undoTurn(turn)).toEqual({
    kind: 'settled',
    undone: [rig.path('b.txt')],
    refused: [{ path: rig.path('a.txt'), reason: { code: 'changed_elsewhere' } }],
  });
  expect(rig.asked.map(({ previews }) => previews.length)).toEqual([2, 1]);
  expect(rig.asked[1]?.reason).toEqual({ code: 'changed_while_asked', asked: rig.asked[0]?.reason });
  expect(rig.asked[0]?.boundTo).not.toBe(rig.asked[1]?.boundTo);
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('by hand');
});

test('a file that keeps changing is not asked about endlessly', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('run.sh', 'before');
  await rig.turn(write('w', 'run.sh', 'after'));
  rig.onAsked = async () => {
    chmodSync(rig.path('run.sh'), 0o600 + rig.asked.length);
    return yesOnce;
  };
  expect(await rig.undoCall('w')).toEqual(refused(rig.path('run.sh'), { code: 'kept_changing' }));
  expect(rig.asked).toHaveLength(5);
  expect(readFileSync(rig.path('run.sh'), 'utf8')).toBe('after');
});

test('while a turn runs in the conversation, nothing is undone in it', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'before');
  await rig.turn(write('w', 'a.txt', 'after'));
  const lease = rig.storage.leases.acquire(rig.conversationId);
  await expect(rig.undoCall('w')).rejects.toThrow('Steward is still answering in this conversation.');
  if ('release' in lease) lease.release();
  // One that begins while the user is asked keeps the yes from counting.
  rig.onAsked = async () => {
    rig.storage.leases.acquire(rig.conversationId);
    return yesOnce;
  };
  await expect(rig.undoCall('w')).rejects.toThrow('Steward is still answering in this conversation.');
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('after');
});

test('Stop while the question is open takes it away', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'before');
  await rig.turn(write('w', 'a.txt', 'after'));
  const stop = new AbortController();
  rig.onAsked = () => new Promise(() => queueMicrotask(() => stop.abort(new Error('closing'))));
  await expect(rig.undo({ turnId: null, callId: 'w' }, stop.signal)).rejects.toThrow('closing');
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('after');
});

test('a call that changed no file cannot be undone, and says so', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'before');
  const turn = await rig.turn(['read', 'read_file', { path: 'a.txt' }]);
  await expect(rig.undoTurn(turn)).rejects.toThrow(NothingToUndo);
  await expect(rig.undoCall('no such call')).rejects.toThrow(NothingToUndo);
  await expect(rig.undo({ turnId: null, callId: null })).rejects.toThrow(NothingToUndo);
  await rig.turn(['run', 'bash', { command: 'true; pwd' }]);
  expect(await rig.undoCall('run')).toEqual(refused('bash', { code: 'not_by_undo' }));
});

test('a call that failed left nothing to undo', async () => {
  const rig = await UndoRig.start();
  mkdirSync(rig.path('folder'));
  await rig.turn(write('folder', 'folder', 'x'), append('missing', 'missing.txt', 'x'), [
    'unmade',
    'write_file',
    { path: 'unmade/a.txt', content: 'x', create_directories: false },
  ]);
  expect(rig.events('tool_result').map(({ isError, changed }) => ({ isError, changed }))).toEqual(
    Array.from({ length: 3 }, () => ({ isError: true, changed: undefined })),
  );
  expect(rig.storage.beforeImages.list(rig.conversationId)).toEqual([]);
});

test('a file that is too large to be kept is changed all the same, with a notice', async () => {
  const rig = await UndoRig.start();
  const size = MAX_IMAGE_BYTES + 1;
  rig.harness.put('big.bin', Buffer.alloc(size, 'x'));
  const turn = await rig.turn(write('w', 'big.bin', 'small'), append('a', 'big.bin', ' and more'));
  expect(rig.events('notice')).toMatchObject([
    {
      code: 'undo_not_kept',
      message:
        'big.bin had 20,971,521 bytes. Earlier versions of files over 20 MB are not kept, so this change can’t be undone.',
    },
  ]);
  expect(rig.events('tool_result').map(({ changed }) => changed)).toEqual([undefined, ['big.bin']]);
  const path = rig.path('big.bin');
  expect(await rig.undoTurn(turn)).toEqual({
    kind: 'settled',
    undone: [path],
    refused: [{ path, reason: { code: 'too_large', bytes: 20_971_521 } }],
  });
  expect(readFileSync(path, 'utf8')).toBe('small');
});

test('a turn that changed more than anybody reads: so much is compared, of the rest the sizes are said', async () => {
  const rig = await UndoRig.start();
  const names = Array.from({ length: 6 }, (_, index) => `f${index}.txt`);
  for (const name of names) rig.harness.put(name, 'before\n'.repeat(70_000));
  const turn = await rig.turn(...names.map((name) => write(name, name, 'after.\n'.repeat(70_000))));
  expect(await rig.undoTurn(turn)).toEqual(done(...names.map((name) => rig.path(name)).reverse()));
  const notes = rig.asked[0]?.previews.map((preview) => (preview.kind === 'diff' ? preview.note : preview.kind));
  const tooMuch = 'Not compared, because there is too much to show: 490,000 bytes now, 490,000 before.';
  expect(notes).toEqual([undefined, undefined, undefined, undefined, tooMuch, tooMuch]);
});

test('bytes that the database gives back damaged never come over a file', async () => {
  const rig = await UndoRig.start();
  for (const name of ['a.txt', 'b.txt']) rig.harness.put(name, `${name} before`);
  const turn = await rig.turn(write('a', 'a.txt', 'after'), write('b', 'b.txt', 'after'));
  const database = openWritable(join(rig.harness.base, 'profile', 'steward.db'));
  database.database.exec(`UPDATE before_images SET before = zeroblob(12) WHERE call_id = 'a'`);
  database.close();
  const reason = { code: 'damaged' };
  expect(await rig.undoTurn(turn)).toEqual({
    kind: 'settled',
    undone: [rig.path('b.txt')],
    refused: [{ path: rig.path('a.txt'), reason }],
  });
  expect(readFileSync(rig.path('a.txt'), 'utf8')).toBe('after');
  expect(readFileSync(rig.path('b.txt'), 'utf8')).toBe('b.txt before');
});

test('the model and the window are told, and the next turn continues', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('notes.md', 'before');
  await rig.turn(write('w', 'notes.md', 'after'));
  await rig.undoCall('w');
  expect(rig.heard).toMatchObject([{ type: 'undo', calls: ['w'], paths: [rig.path('notes.md')] }]);
  const { messages } = foldHistory(rig.storage.events.read(rig.conversationId));
  expect(messages.at(-1)).toMatchObject({ role: 'user' });
  expect(JSON.stringify(messages.at(-1))).toContain(
    `[The user undid write_file: ${rig.path('notes.md')} has been restored to its earlier state.]`,
  );
  await rig.turn(append('a', 'notes.md', ' and on'));
  expect(readFileSync(rig.path('notes.md'), 'utf8')).toBe('before and on');
  expect(rig.events('turn_end').map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn']);
});

test('when room has to be made, the conversation that makes it is told which changes can no longer be undone', async () => {
  const rig = await UndoRig.start();
  const other = rig.storage.conversations.create({ workspace: rig.harness.workspace, model: 'guide' }).id;
  const { add } = rig.storage.beforeImages;
  const dropped = Array.from({ length: 7 }, (_, index) => ({ path: `/w/${index}.txt`, conversationId: other }));
  Object.assign(rig.storage.beforeImages, {
    add: (...args: Parameters<typeof add>) => ({ ...add(...args), dropped }),
  });
  rig.harness.put('a.txt', 'before');
  await rig.turn(write('w', 'a.txt', 'after'));
  expect(rig.events('notice')).toMatchObject([
    {
      code: 'undo_dropped',
      message:
        'To make room, the oldest file versions kept for undo were deleted, including some from other conversations. These changes can no longer be undone: /w/0.txt, /w/1.txt, /w/2.txt, /w/3.txt, /w/4.txt and 2 more.',
    },
  ]);
  expect(await rig.undoCall('w')).toEqual(done(rig.path('a.txt')));
});

test('an edit is undone too, and the file keeps its other properties', async () => {
  const rig = await UndoRig.start();
  const bytes = Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le');
  rig.harness.put('a.txt', bytes);
  await rig.turn(['e', 'edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }]);
  expect(readFileSync(rig.path('a.txt'), 'utf16le')).toBe('\ufeffone\r\nthree\r\n');
  expect(await rig.undoCall('e')).toEqual(done(rig.path('a.txt')));
  expect(readFileSync(rig.path('a.txt')).equals(bytes)).toBe(true);
});
