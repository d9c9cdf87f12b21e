import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askRig, ofType, parseEvents } from '../../fixtures/ask.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';

const ADDRESS = /^Open this address in your browser: (\S+)$/m;
const SEARCH = '/gmail_search {"query":"is:unread"}';

test('ask signs in to Google with --sign-in only, and no code, token or secret of it is left anywhere', async () => {
  const gmail = new FixtureGmail();
  gmail.add({ from: 'Bob <bob@example.com>', subject: 'Lunch' });
  const google = await startGoogle({ handlers: [gmail.handler] });
  const rig = askRig({ config: { endpoints: google.endpoints } });

  const without = await rig.events(['--approve', 'all', SEARCH], { env: google.env });
  const [refused] = ofType(without.events, 'tool_result');
  expect(refused?.isError).toBe(true);
  for (const named of ['Settings', '--sign-in']) expect(refused?.text).toContain(named);
  expect(without.stderr).not.toMatch(ADDRESS);
  expect(google.requests).toEqual([]);

  // `none` is no answer to the sign-in: the flag is.
  const child = await rig.start(['--json', '--approve', 'none', '--sign-in', SEARCH], { env: google.env });
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
  const [result] = ofType(parseEvents(stdout), 'tool_result');
  expect(result).toMatchObject({ isError: false, text: expect.stringContaining('Subject: Lunch') });

  expect(google.secrets.map((secret) => secret.slice(0, 3))).toEqual(['GOC', '4/0', '1//', 'ya2']);
  const places = { stdout, stderr: said, ...filesIn(rig.profile) };
  // What was looked at is what was written.
  expect(Object.values(places).some((content) => content.includes('gmail_search'))).toBe(true);
  for (const secret of google.secrets)
    expect(Object.entries(places).flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);
});

function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}
