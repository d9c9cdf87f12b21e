import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askRig, parseEvents } from '../../fixtures/ask.ts';
import { browse, startAuthorization } from '../../fixtures/mcp/authorization.ts';

const ADDRESS = /^Open this address in your browser: (\S+)$/m;

test('ask signs in with --sign-in only, and no code, token or secret of it is left anywhere', async () => {
  const fixture = await startAuthorization();
  const rig = askRig({ config: { mcpServers: { notes: { url: fixture.url } } } });

  const without = await rig.run(['--approve', 'all', '/tools list']);
  expect(without.stdout + without.stderr).toContain('mcpServers.notes');
  expect(without.stderr).not.toMatch(ADDRESS);
  expect(new Set(fixture.requests)).toEqual(new Set(['POST rs/mcp']));

  const child = await rig.start(['--json', '--approve', 'all', '--sign-in', '/notes__read_note {}']);
  child.stdin.end();
  let said = '';
  const signedIn = new Promise<string>((done) => {
    child.stderr.on('data', (chunk) => {
      const before = ADDRESS.test(said);
      said += chunk;
      const [, url] = ADDRESS.exec(said) ?? [];
      if (!before && url !== undefined) done(browse(url));
    });
  });
  const closed = new Promise((done) => child.once('close', done));
  const stdout = await text(child.stdout);
  await closed;
  expect(await signedIn).toContain('You are signed in');
  expect(parseEvents(stdout)).toContainEqual(
    expect.objectContaining({ type: 'tool_result', text: 'done', isError: false }),
  );

  expect(fixture.secrets.map((secret) => secret.split('-')[0])).toEqual(['client', 'code', 'access', 'refresh']);
  const places = { stdout, stderr: said, ...filesIn(rig.profile) };
  // What was looked at is what was written.
  expect(Object.values(places).some((content) => content.includes('notes__read_note'))).toBe(true);
  for (const secret of fixture.secrets)
    expect(Object.entries(places).flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);
});

function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}
