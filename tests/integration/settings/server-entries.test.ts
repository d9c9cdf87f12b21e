import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSettings } from '../../../src-main/settings/settings.ts';

const WRITTEN = `{
  // First.
  "McpServers": {
    "files": { "Command": "npx", "mine": true, /* why */ "args": ["-y", "a"] }, // behind it
    "remote": { "type": "http", "url": "https://x.example/mcp" },
    "wrong": { "command": 7, "env": { "A": "b" } }
  },
  "last": [1, 2]
}
`;

function opened(text: string) {
  const profileDirectory = mkdtempSync(join(tmpdir(), 'steward-entries-'));
  const path = join(profileDirectory, 'config.json');
  writeFileSync(path, text);
  const settings = openSettings({ profileDirectory, onProblem: () => undefined });
  onTestFinished(() => {
    settings.close();
    rmSync(profileDirectory, { recursive: true, force: true });
  });
  return { settings, path, text: () => readFileSync(path, 'utf8') };
}

test('an edit writes its value in the spelling of the file, and nothing else', async () => {
  const { settings, text } = opened(WRITTEN);
  await settings.editServer('files', [{ path: ['command'], value: 'uvx' }]);
  expect(text()).toBe(WRITTEN.replace('"npx"', '"uvx"'));
  await settings.editServer('remote', [{ path: ['transport'], value: 'sse' }]);
  expect(text()).toBe(WRITTEN.replace('"npx"', '"uvx"').replace('"http"', '"sse"'));
  await settings.editServer('files', [{ path: ['classes', 'echo'], value: 'read' }]);
  expect(settings.current.mcpServers.files).toMatchObject({ command: 'uvx', classes: { echo: 'read' } });
  await settings.editServer('files', [{ path: ['classes', 'echo'], value: undefined }]);
  expect(settings.current.mcpServers.files?.classes).toEqual({});
});

test('an entry with a mistake is there as it is written, and can be corrected', async () => {
  const { settings, text } = opened(WRITTEN);
  expect(Object.keys(settings.serversAsWritten)).toEqual(['files', 'remote', 'wrong']);
  expect(settings.current.mcpServers.wrong).toBeUndefined();
  await settings.editServer('wrong', [{ path: ['command'], value: 'x' }]);
  expect(text()).toBe(WRITTEN.replace('"command": 7', '"command": "x"'));
  expect(settings.current.mcpServers.wrong).toMatchObject({ command: 'x', env: { A: 'b' } });
});

test('what would be a mistake is not written', async () => {
  const { settings, text } = opened(WRITTEN);
  await expect(settings.editServer('new', [{ path: ['args'], value: ['x'] }])).rejects.toMatchObject({
    problems: [{ key: 'mcpServers.new.command' }],
  });
  await expect(settings.editServer('files', [{ path: ['args'], value: 7 }])).rejects.toThrow('mcpServers.files.args');
  await expect(settings.removeServer('nobody')).rejects.toThrow('nobody');
  expect(text()).toBe(WRITTEN);
});

test('an entry that was removed comes back letter by letter', async () => {
  const { settings, text } = opened(WRITTEN);
  const removed = await settings.removeServer('files');
  expect(settings.serversAsWritten.files).toBeUndefined();
  expect(text()).not.toContain('why');
  await settings.putServerBack(removed);
  expect(text()).toBe(WRITTEN);
});

test('where the file was changed meanwhile, the entry comes back beside the change', async () => {
  const { settings, path, text } = opened(WRITTEN);
  const removed = await settings.removeServer('files');
  const changed = text().replace('[1, 2]', '[3]');
  writeFileSync(path, changed);
  await settings.putServerBack(removed);
  expect(settings.serversAsWritten.files).toEqual({ Command: 'npx', mine: true, args: ['-y', 'a'] });
  expect(text()).toContain('[3]');
  await expect(settings.putServerBack(removed)).rejects.toThrow('again');
});
