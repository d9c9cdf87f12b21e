import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ServerLog } from '../../../src-main/mcp/status/server-log.ts';
import { ServerLogFiles } from '../../../src-main/mcp/status/server-log-files.ts';

function kept() {
  const folder = mkdtempSync(join(tmpdir(), 'steward-server-logs-'));
  const files = new ServerLogFiles(folder);
  const log = (server: string) => {
    const made = new ServerLog({ redact: (text) => text.replaceAll('hunter2hunter2', '[redacted]'), now: () => 0 });
    files.follow(server, made);
    return made;
  };
  return { folder, files, log };
}

test('what a server printed and how it ended is in its file, without secrets and without messages', () => {
  const { folder, files, log } = kept();
  const notes = log('notes');
  notes.add({ kind: 'state', text: 'starting' });
  notes.add({ kind: 'stderr', text: 'Error: no token hunter2hunter2\n\u001b[31mred' });
  notes.add({ kind: 'sent', text: '{"method":"tools/call","params":{"name":"read","arguments":{"path":"diary"}}}' });
  notes.add({ kind: 'received', text: '{"result":"dear diary"}' });
  files.flush();
  expect(readFileSync(join(folder, 'notes.log'), 'utf8').split('\n')).toEqual([
    '1970-01-01T00:00:00.000Z state starting',
    expect.stringMatching(/^1970-01-01T00:00:00\.000Z stderr Error: no token \[redacted\] .*red$/),
    '',
  ]);
  expect(readFileSync(join(folder, 'notes.log'), 'utf8')).not.toContain('diary');
  expect(readFileSync(join(folder, 'notes.log'), 'utf8')).not.toContain('\u001b');
});

test('each server has a file of its own inside the folder, whatever it is called', () => {
  const { folder, files, log } = kept();
  const names = ['notes', 'Notes', 'notes/../../x', '..', '__proto__', 'a'.repeat(300), 'con.', 'ünï', 'unı'];
  for (const name of names) log(name).add({ kind: 'state', text: name });
  files.flush();
  const made = readdirSync(folder);
  expect(made).toHaveLength(names.length);
  for (const file of made) expect(file).toMatch(/^[a-z0-9_-]{1,60}\.log$/);
});
