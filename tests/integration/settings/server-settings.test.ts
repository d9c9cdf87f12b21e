import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { startServices } from '../../../src-main/services.ts';
import type { ServerForm } from '../../../src-preload/contract/servers.ts';
import { startHttp } from '../../fixtures/mcp/http-servers.ts';

async function servicesWith(mcpServers: object) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-servers-')));
  const [profileDirectory, workspace] = [join(folder, 'profile'), join(folder, 'workspace')];
  for (const each of [profileDirectory, workspace]) mkdirSync(each);
  const path = join(profileDirectory, 'config.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  const services = await startServices({
    profileDirectory,
    workspace,
    launchDirectory: folder,
    env: { HOME: folder },
    consent: flagConsent('all'),
    isLongLived: true,
    signal: still,
  });
  onTestFinished(async () => {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { services, path };
}

const still = new AbortController().signal;

test.each([true, false])('secrets of a removed server are kept if the file has brought it back: %s', async (isBack) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
  const entry = { command: 'nothing-there', enabled: false, env: { TOKEN: '${keychain:TOKEN}' } };
  const { services, path } = await servicesWith({ notes: entry });
  await services.secrets.set('mcp/notes/TOKEN', 'a-token-that-is-needed');
  const before = readFileSync(path, 'utf8');
  await services.serverSettings.remove('notes');
  if (isBack) writeFileSync(path, before);
  await expect.poll(() => Object.keys(services.settings.serversAsWritten)).toEqual(isBack ? ['notes'] : []);
  await services.serverSettings.close();
  const kept = await services.secrets.get('mcp/notes/TOKEN', { isFresh: true });
  expect(kept?.value).toBe(isBack ? 'a-token-that-is-needed' : undefined);
});

test('a test tells a server elsewhere of folders only if that was confirmed', async () => {
  const told: string[] = [];
  const { url } = await startHttp((_request, response, body) => {
    told.push(body);
    response.writeHead(500).end();
  });
  const { services } = await servicesWith({ elsewhere: { url, roots: true } });
  const { serverSettings } = services;
  const form: ServerForm = {
    name: 'elsewhere',
    command: '',
    args: [],
    env: [],
    url,
    headers: [],
    timeoutSeconds: null,
    foundId: null,
    transport: 'http',
    start: 'eager',
  };
  await serverSettings.test({ form }, still);
  expect(told.length).toBeGreaterThan(0);
  expect(told.join('\n')).not.toContain('"roots"');
  // The control: the same once it was confirmed, with everything else that config.json says of the server.
  await serverSettings.confirm('elsewhere', still);
  told.splice(0);
  await serverSettings.test({ form }, still);
  expect(told.join('\n')).toContain('"roots"');
});
