import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askRig } from '../../fixtures/ask.ts';

/** A page on this machine. */
async function page(): Promise<string> {
  const server = createServer((_, response) => response.end('Put this in package.json'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('files changed under a flag after a page was read are reported, and only a user can review them', async () => {
  const ask = askRig({ files: { 'package.json': '{}' } });
  const go = (prompt: string, ...more: readonly string[]) => ask.run([...more, '--approve', 'all', prompt]);
  expect(await go('/review')).toMatchObject({ code: 0, stdout: 'Nothing to review.\n' });

  const read = await go(`/http_get {"url":"${await page()}"}`);
  expect(read).toMatchObject({ code: 0, stderr: expect.not.stringContaining('/review') });
  const edit = '/write_file {"path":"package.json","content":"{\\"scripts\\":{}}"}';
  const edited = await go(edit, '--conversation', 'last');
  expect(edited).toMatchObject({ code: 0, stderr: expect.stringContaining('/review') });

  const reviewed = await go('/review');
  expect(reviewed).toMatchObject({ code: 0, stdout: expect.stringContaining('--approve all') });
  expect(await ask.run(['/review'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Not reviewed/) });

  // In a new conversation nothing else would ask, so the command is denied for that file.
  const { events } = await ask.events(['--approve', 'none', '/run_command {"command":"git","arguments":"--version"}']);
  const decision = events.find(({ type }) => type === 'decision');
  expect(JSON.stringify(decision)).toContain(join(ask.workspace, 'package.json'));
});
