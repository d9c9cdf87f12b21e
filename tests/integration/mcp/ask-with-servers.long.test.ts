import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SYSTEM_INFO_TOOLS } from '../../../resources/system-info/definitions.ts';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';

const reference = (name: string) => import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`).slice(7);

function toolOf(events: readonly { readonly type: string }[]) {
  return events.find(({ type }) => type === 'tool_result');
}

test('`ask` calls tools of confirmed servers through the gate; what nobody confirmed is not even started', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-files-')));
  writeFileSync(join(folder, 'note.txt'), 'in the note');
  const rig = askRig({
    config: {
      mcpServers: {
        everything: { command: process.execPath, args: [reference('everything')] },
        memory: {
          command: process.execPath,
          args: [reference('memory')],
          env: { MEMORY_FILE_PATH: join(folder, 'm.json') },
        },
        // With roots it would look at those instead of its own argument.
        files: { command: process.execPath, args: [reference('filesystem'), folder], roots: false },
        fixture: { command: process.execPath, args: [STDIO_SERVER] },
        off: { command: process.execPath, args: [STDIO_SERVER], enabled: false },
        absent: { command: 'no-such-program-here' },
      },
    },
  });
  const call = async (line: string, approve = 'all') => {
    const { events } = await rig.events(['--approve', approve, line]);
    return { events, result: toolOf(events) };
  };
  const refused = await call('/fixture__echo {"text":"x"}', 'none');
  expect(refused.result).toBeUndefined();

  expect((await call('/everything__echo {"message":"hi"}')).result).toMatchObject({ text: 'Echo: hi', isError: false });
  expect(
    (await call(`/files__read_text_file {"path":${JSON.stringify(join(folder, 'note.txt'))}}`)).result,
  ).toMatchObject({
    text: expect.stringContaining('in the note'),
  });
  expect(
    (await call('/memory__create_entities {"entities":[{"name":"Ada","entityType":"person","observations":["x"]}]}'))
      .result,
  ).toMatchObject({ isError: false });
  expect((await call('/fixture:echo {"text":""}')).result).toMatchObject({ text: '', isError: false });
  expect((await call('/fixture__failing {}')).result).toMatchObject({
    text: 'Error executing tool "fixture__failing": boom',
    isError: true,
  });
  expect((await call('/off__echo {}')).result).toBeUndefined();
  // Confirmed by now, and a claim to read is still a question.
  const declined = await call('/fixture__echo {"text":"x"}', 'none');
  expect(declined.events).toContainEqual(expect.objectContaining({ type: 'decision', answer: 'deny' }));
  const { stdout } = await rig.run(['/tools list']);
  expect(stdout).toContain('everything__echo');
  expect(stdout).not.toContain('absent__');
});

test('`ask` offers what the first listing under `--approve all` held, and nothing that was changed since', async () => {
  const sign = join(mkdtempSync(join(tmpdir(), 'mcp-sign-')), 'changed');
  const entry = { command: process.execPath, args: [STDIO_SERVER, 'claims', sign] };
  const rig = askRig({ config: { mcpServers: { fixture: entry } } });
  const call = async () => rig.events(['--approve', 'all', '/fixture__echo {"text":"said"}']);
  expect(toolOf((await call()).events)).toMatchObject({ text: 'said', isError: false });
  writeFileSync(sign, '');
  // The tools are known from the last session. That one of them changed is noticed before it is called.
  expect(toolOf((await call()).events)).toMatchObject({ outcome: 'failed', isError: true });
  const { events } = await rig.events(['--approve', 'all', '/fixture__note {}']);
  expect(toolOf(events)).toMatchObject({ isError: false });
  const later = await call();
  expect(toolOf(later.events)).toBeUndefined();
  expect(later.code).toBe(2);
});

test("`ask` has system-info without any entry: no question, its text is the user's own, and an entry ends it", async () => {
  const rig = askRig();
  const { events, code } = await rig.events(['--approve', 'none', '/system-info__disk_info {}']);
  expect(code).toBe(0);
  expect(toolOf(events)).toMatchObject({ text: expect.stringMatching(/^Disk Information\n=+\n/), isError: false });
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'allow', by: 'default', reasonCode: 'mcp_read' }]);
  const { stdout } = await rig.run(['/tools list']);
  for (const { name } of SYSTEM_INFO_TOOLS) expect(stdout).toContain(`system-info__${name}`);

  const off = askRig({ config: { mcpServers: { 'system-info': { enabled: false } } } });
  expect((await off.run(['/tools list'])).stdout).not.toContain('system-info__');
  expect((await off.run(['--approve', 'all', '/system-info__disk_info {}'])).code).toBe(2);
});

test('what a server writes before it ends reaches the terminal as text, never as a sequence that repaints it', async () => {
  const entry = { command: process.execPath, args: [STDIO_SERVER, 'rude'] };
  const rig = askRig({ config: { mcpServers: { fixture: entry } } });
  const { stderr } = await rig.run(['--approve', 'all', '/tools list']);
  // The control: that is what it wrote, and it was told.
  expect(stderr).toContain('⟨U+001B⟩]0;Your bank');
  expect(stderr).not.toContain('\u001b]');
  expect(stderr).not.toContain('\r');
});
