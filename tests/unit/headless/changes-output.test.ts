import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { JsonOutput, TextOutput } from '../../../src-main/headless/output.ts';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import type { NotKept } from '../../../src-preload/contract/file-changes.ts';
import type { PutAside } from '../../../src-preload/contract/tool-card.ts';
import { stored } from '../../fixtures/events.ts';
import { changed, changesOf } from '../../fixtures/file-changes.ts';

function printed(events: readonly ConversationEvent[]): string {
  const stderr = new PassThrough();
  const output = new TextOutput({ stdout: new PassThrough(), stderr, printResults: false });
  for (const event of stored(events)) output.event(event);
  return stderr.read()?.toString() ?? '';
}

test('--json prints the paths, and what was not kept with its reason as a text', () => {
  const stdout = new PassThrough();
  const files = changed({ '/w/a.txt': 'changed' });
  const notKept: NotKept[] = [{ path: '/w/node_modules', why: { code: 'made_again', from: 'package.json' } }];
  for (const event of stored([changesOf('c1', files, { notKept })])) new JsonOutput(stdout).event(event);
  expect(JSON.parse(stdout.read().toString())).toEqual({
    type: 'changes',
    id: 'c1',
    files: [{ path: '/w/a.txt', change: 'changed', size: 10 }],
    notKept: [{ path: '/w/node_modules', reason: 'it can be made again from package.json' }],
    counts: { made: 0, changed: 1, deleted: 0, renamed: 0, mode: 0 },
  });
});

test('the terminal says in one line what changed and how it is undone', () => {
  const files = changed({ '/w/a.txt': 'changed', '/w/b.txt': 'deleted' });
  expect(printed([changesOf('c1', files)])).toBe('  1 file changed · deleted 1 file · /undo c1\n');
});

test('the terminal offers no undo of what is lost', () => {
  const files = [{ path: '/w/big.iso', change: 'deleted', size: 5e9, isLost: true }] as const;
  expect(printed([changesOf('c1', files)])).toBe('  Deleted 1 file\n');
});

test('the terminal names what was not kept and can’t be made again, the first few of it', () => {
  const big: NotKept[] = Array.from({ length: 7 }, (_, index) => ({
    path: `/w/big-${index}.iso`,
    why: { code: 'too_large', bytes: 5_000_000 },
  }));
  const notKept: NotKept[] = [{ path: '/w/node_modules', why: { code: 'made_again', from: 'package.json' } }, ...big];
  const lines = printed([changesOf('c1', [], { notKept })]);
  expect(lines).not.toContain('node_modules');
  expect(lines).toContain('/w/big-4.iso (at 5 MB it is too large)');
  expect(lines).not.toContain('/w/big-5.iso');
  expect(lines).toContain('2 more');
});

test('the terminal repeats nothing when a list is replaced', () => {
  const notKept: NotKept[] = [{ path: '/w/pipe', why: { code: 'special' } }];
  const first = changesOf('c1', changed({ '/w/a': 'made' }), { notKept });
  const again = changesOf('c1', changed({ '/w/a': 'made', '/w/b': 'made' }), { notKept });
  const lines = printed([first, first, again, { ...first, id: 'c2' }]);
  expect(lines.split('\n').filter((line) => line.includes('/w/pipe'))).toHaveLength(2);
  expect(lines.match(/Made .*$/gm)).toEqual([
    'Made 1 file · /undo c1',
    'Made 2 files · /undo c1',
    'Made 1 file · /undo c2',
  ]);
});

test('the terminal says what was put aside, and what could not be', () => {
  const result = (putAside: PutAside): ConversationEvent => ({
    type: 'tool_result',
    id: 'c1',
    isError: false,
    outcome: 'completed',
    text: '',
    elapsedMs: 1,
    calledBy: 'model',
    card: { kind: 'terminal', line: 'x', ending: 'exited', exitCode: 0, bounds: 'folder', putAside },
  });
  const entries = [{ path: 'a/.envrc', name: '.envrc.held' }];
  expect(printed([result({ entries, count: 1 })])).toBe(
    '  Put aside, because other programs obey it automatically. To use it, check it and rename it back.\n' +
      '    a/.envrc is now .envrc.held\n',
  );
  const both = printed([result({ entries, count: 3, isIncomplete: true })]);
  expect(both).toContain('obey them automatically');
  expect(both).toContain('    and 2 more\n');
  expect(both).toContain('Look through the folder.\n');
  expect(printed([result({ entries: [], count: 0, isIncomplete: true })])).not.toContain('Put aside');
});
