import { expect, test } from 'vitest';
import { askRig, parseEvents } from '../../fixtures/ask.ts';
import { ADDRESS_TO_OPEN, endedWithBrowser } from '../../fixtures/ask-with-browser.ts';
import { filesIn } from '../../fixtures/files-in.ts';
import { browse, startAuthorization } from '../../fixtures/mcp/authorization.ts';

test('ask signs in with --sign-in only, and no code, token or secret of it is left anywhere', async () => {
  const fixture = await startAuthorization();
  const rig = askRig({ config: { mcpServers: { notes: { url: fixture.url } } } });

  const without = await rig.run(['--approve', 'all', '/tools list']);
  expect(without.stdout + without.stderr).toContain('mcpServers.notes');
  expect(without.stderr).not.toMatch(ADDRESS_TO_OPEN);
  expect(new Set(fixture.requests)).toEqual(new Set(['POST rs/mcp']));

  const child = await rig.start(['--json', '--approve', 'all', '--sign-in', '/notes__read_note {}']);
  const { stdout, stderr, page } = await endedWithBrowser(child, browse);
  expect(page).toContain('You are signed in');
  expect(parseEvents(stdout)).toContainEqual(
    expect.objectContaining({ type: 'tool_result', text: 'done', isError: false }),
  );

  expect(fixture.secrets.map((secret) => secret.split('-')[0])).toEqual(['client', 'code', 'access', 'refresh']);
  const places = { stdout, stderr, ...filesIn(rig.profile) };
  // What was looked at is what was written.
  expect(Object.values(places).some((content) => content.includes('notes__read_note'))).toBe(true);
  for (const secret of fixture.secrets)
    expect(Object.entries(places).flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);
});
