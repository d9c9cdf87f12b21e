import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';

test('/undo undoes the last turn that changed files, then the one before it, after approval', async () => {
  const ask = askRig({ files: { 'a.txt': 'zero\n' } });
  const file = join(ask.workspace, 'a.txt');
  const made = join(ask.workspace, 'x/b.txt');
  const go = (prompt: string, approve = 'all') => ask.run(['--conversation', 'last', '--approve', approve, prompt]);
  await ask.run(['--approve', 'all', '/write_file {"path":"a.txt","content":"one\\n"}']);
  await go('/write_file {"path":"x/b.txt","content":"new"}');
  await go('/get_date');

  const declined = await go('/undo', 'reads');
  expect(declined.code).toBe(0);
  expect(declined.stdout).toContain('--approve reads');
  expect(declined.stdout).not.toContain(made);
  expect(existsSync(made)).toBe(true);

  expect(await go('/undo')).toMatchObject({ code: 0, stdout: `Restored 1 file:\n  ${made}\n` });
  expect(existsSync(join(ask.workspace, 'x'))).toBe(false);
  expect(await go('/undo')).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
  expect(readFileSync(file, 'utf8')).toBe('zero\n');
  expect((await go('/undo')).code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('zero\n');
});

test('if the last turn cannot be undone as a whole, the calls that can be are named', async () => {
  const ask = askRig({ files: { 'a.txt': 'zero\n', 'b.txt': 'zero\n' } });
  const go = (prompt: string) => ask.run(['--conversation', 'last', '--approve', 'all', prompt]);
  await ask.run(['--approve', 'all', '/write_file {"path":"a.txt","content":"one\\n"}']);
  await go('/write_file {"path":"b.txt","content":"one\\n"}');
  writeFileSync(join(ask.workspace, 'b.txt'), 'by hand\n');
  const refused = await go('/undo');
  expect(refused.code).toBe(1);
  expect(refused.stdout).not.toMatch(/: write_file .*b\.txt$/m);
  const [, id] = /^ {2}(user_\w+): write_file .*a\.txt$/m.exec(refused.stdout) ?? [];
  expect(await go(`/undo ${id}`)).toMatchObject({ code: 0 });
  expect(readFileSync(join(ask.workspace, 'a.txt'), 'utf8')).toBe('zero\n');
  expect(await go('/undo call_of_nobody')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('call_of_nobody'),
  });
  expect(await go('/redo call_of_nobody')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Nothing was redone\. .*call_of_nobody/),
  });
});

test('/undo CALL_ID takes back one call, by the id that --json tells', async () => {
  const ask = askRig({ files: { 'a.txt': 'zero\n' } });
  const file = join(ask.workspace, 'a.txt');
  const first = await ask.events(['--approve', 'all', '/write_file {"path":"a.txt","content":"one\\n"}']);
  const id = ofType(first.events, 'tool_call')[0]?.id ?? '';
  const second = ['--conversation', 'last', '--approve', 'all'];
  await ask.run([...second, '/append_file {"path":"a.txt","content":"two\\n"}']);
  const refused = await ask.run([...second, `/undo ${id}`]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toMatch(new RegExp(`^ {2}${file}: .*append_file`, 'm'));
  await ask.run([...second, '/undo']);
  const { code, events } = await ask.events([...second, `/undo ${id}`]);
  expect(code).toBe(0);
  expect(events).toEqual([
    { type: 'start', conversationId: expect.any(String), model: 'none' },
    { type: 'text', text: expect.stringContaining(file) },
    { type: 'done', stopReason: 'end_turn' },
  ]);
  expect(readFileSync(file, 'utf8')).toBe('zero\n');
});

test('/retry keeps the changes of the answer, and says that and how to undo them', async () => {
  const ask = askRig({});
  const file = join(ask.workspace, 'a.txt');
  const first = await ask.events(['--approve', 'all', 'write a.txt: one']);
  const id = ofType(first.events, 'tool_call')[0]?.id ?? '';
  const again = ['--conversation', 'last', '--approve'];
  const { events } = await ask.events([...again, 'none', '/retry']);
  expect(ofType(events, 'notice')).toEqual([
    { type: 'notice', code: 'changes_kept', message: expect.stringMatching(new RegExp(`a\\.txt.*/undo ${id}`)) },
  ]);
  expect(readFileSync(file, 'utf8')).toBe('one');
  expect((await ask.run([...again, 'none', '/retry'])).stderr).toContain(`/undo ${id}`);
  expect(await ask.run([...again, 'all', `/undo ${id}`])).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(ofType((await ask.events([...again, 'none', '/retry'])).events, 'notice')).toEqual([]);
});

test('what a command changed is undone and redone; a name with a line break takes one line', async (context) => {
  needPosix(context);
  const ask = askRig({ files: { 'a.txt': 'zero\n' } });
  const go = (prompt: string) => ask.run(['--conversation', 'last', '--approve', 'all', prompt]);
  const file = join(ask.workspace, 'n\n  Restored everything');
  await ask.run(['--approve', 'all', `/bash ${JSON.stringify({ command: "touch 'n\n  Restored everything'" })}`]);
  expect(await go('/undo')).toMatchObject({ code: 0, stdout: `Restored 1 file:\n  ${JSON.stringify(file)}\n` });
  expect(existsSync(file)).toBe(false);
  expect(await go('/redo')).toMatchObject({ code: 0, stdout: `Changed 1 file again:\n  ${JSON.stringify(file)}\n` });
  expect(existsSync(file)).toBe(true);
});
