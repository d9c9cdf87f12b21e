import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askRig, ofType, parseEvents } from '../../fixtures/ask.ts';
import { startSentMail } from '../../fixtures/google/sent-mail.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';

const ADDRESS = /^Open this address in your browser: (\S+)$/m;
const SEND = '/gmail_send {"to":"ada@example.org","subject":"Tuesday","body":"Does ten suit you?"}';

test('ask says which conversation has mail that may not have been sent', async () => {
  const [google, gmail] = await Promise.all([startGoogle(), startSentMail()]);
  gmail.token = undefined;
  gmail.faults.push('request lost');
  const rig = askRig({ config: { endpoints: { ...google.endpoints, googleApis: gmail.url } } });
  const child = await rig.start(['--json', '--approve', 'all', '--sign-in', SEND], { env: google.env });
  child.stdin.end();
  let said = '';
  child.stderr.on('data', (chunk) => {
    const before = ADDRESS.test(said);
    said += chunk;
    const [, url] = ADDRESS.exec(said) ?? [];
    if (!before && url !== undefined) void browse(url);
  });
  const closed = new Promise((done) => child.once('close', done));
  const events = parseEvents(await text(child.stdout));
  await closed;
  expect(ofType(events, 'tool_result')).toMatchObject([{ isError: true }]);
  expect(gmail.requests).toContain('POST /gmail/v1/users/me/messages/send');
  const id = ofType(events, 'start')[0]?.conversationId ?? '';
  expect(said).toContain(` ${id} `);
  expect(gmail.sent).toEqual([]);

  const later = await rig.events(['--approve', 'all', '/get_time {}'], { env: google.env });
  const notices = ofType(later.events, 'notice').filter(({ code }) => code === 'mail_unsettled');
  expect(notices).toMatchObject([{ message: expect.stringContaining(id) }]);
  // The notice was given already.
  expect(later.stderr).not.toContain(id);
});
