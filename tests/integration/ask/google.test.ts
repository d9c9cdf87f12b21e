import { expect, test } from 'vitest';
import { askRig, ofType, parseEvents } from '../../fixtures/ask.ts';
import { ADDRESS_TO_OPEN, endedWithBrowser } from '../../fixtures/ask-with-browser.ts';
import { filesIn } from '../../fixtures/files-in.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';

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
  expect(without.stderr).not.toMatch(ADDRESS_TO_OPEN);
  expect(google.requests).toEqual([]);

  // `none` is no answer to the sign-in: the flag is.
  const child = await rig.start(['--json', '--approve', 'none', '--sign-in', SEARCH], { env: google.env });
  const { stdout, stderr, page } = await endedWithBrowser(child, browse);
  expect(page).toContain('You are signed in');
  const [result] = ofType(parseEvents(stdout), 'tool_result');
  expect(result).toMatchObject({ isError: false, text: expect.stringContaining('Subject: Lunch') });

  expect(google.secrets.map((secret) => secret.slice(0, 3))).toEqual(['GOC', '4/0', '1//', 'ya2']);
  const places = { stdout, stderr, ...filesIn(rig.profile) };
  // What was looked at is what was written.
  expect(Object.values(places).some((content) => content.includes('gmail_search'))).toBe(true);
  for (const secret of google.secrets)
    expect(Object.entries(places).flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);
});
