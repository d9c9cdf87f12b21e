import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAddresses } from '../../../src-main/mcp/setup/open-addresses.ts';
import { templateState } from '../../../src-main/mcp/setup/templates.ts';

/** A machine with these programs and nothing else, and a folder with these files. */
function machine(programs: readonly string[], files: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-template-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [...programs.map((name) => `bin/${name}`), ...files]) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
    chmodSync(join(folder, file), 0o755);
  }
  return { folder, bin: join(folder, 'bin'), env: { PATH: join(folder, 'bin') } };
}

const met = ({ prerequisites }: Awaited<ReturnType<typeof templateState>>) =>
  prerequisites.flatMap(({ id, isMet }) => (isMet && id !== 'port-8080' ? [id] : []));

test('what WhatsApp needs is looked for in its folder and in PATH', async () => {
  const { folder, bin, env } = machine(['uv', 'go'], ['whatsapp-mcp-server/main.py', 'whatsapp-bridge/main.go']);
  const state = await templateState('whatsapp', folder, { platform: 'linux', env });
  expect(met(state)).toEqual(['folder', 'uv', 'go']);
  expect(state.prerequisites.find(({ id }) => id === 'uv')?.found).toEqual([join(bin, 'uv')]);
  expect(state.prerequisites.find(({ id }) => id === 'ffmpeg')).toMatchObject({ isMet: false, isOptional: true });
  const onWindows = await templateState('whatsapp', folder, { platform: 'win32', env });
  expect(onWindows.prerequisites.map(({ id }) => id)).toContain('gcc');
});

test('a .NET runtime is no SDK, and the key of Interview Assist belongs in the keychain', async () => {
  const script = 'mcp_servers/interview_assist_server.py';
  const { folder, env } = machine(['python3', 'dotnet'], [script]);
  const state = await templateState('interview-assist', folder, { platform: 'linux', env });
  expect(met(state)).toEqual(['folder', 'python']);
  expect(state.server.env).toContainEqual(expect.objectContaining({ name: 'DEEPGRAM_API_KEY', isSecret: true }));
  mkdirSync(join(folder, 'bin/sdk/9.0.100'), { recursive: true });
  expect(met(await templateState('interview-assist', folder, { platform: 'linux', env }))).toContain('dotnet-sdk');
});

test.each(['', 'relative', '//server/share', '\\\\server\\share', '/tmp\0'])(
  'a folder like %j is not looked at',
  async (given) => {
    const { env } = machine([]);
    expect(met(await templateState('whatsapp', given, { platform: 'linux', env }))).toEqual([]);
  },
);

test('a port counts as open only if something listens on it', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await openAddresses(port)).toEqual(['127.0.0.1']);
  await new Promise<void>((closed) => void server.close(() => closed()));
  expect(await openAddresses(port)).toEqual([]);
});
