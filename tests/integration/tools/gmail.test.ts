import { afterEach, describe, expect, test, vi } from 'vitest';
import { SignInFailure } from '../../../src-main/accounts/sign-in-problem.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { failing, googleErrors } from '../../fixtures/google/google-errors.ts';
import type { GoogleAnswer, GoogleHandler, GoogleRequest } from '../../fixtures/google/google-request.ts';
import { startGoogleApis } from '../../fixtures/google/start-google-apis.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness | undefined;
afterEach(async () => {
  await tools?.dispose();
  tools = undefined;
});

async function connected(...before: GoogleHandler[]) {
  const gmail = new FixtureGmail();
  const apis = await startGoogleApis(...before, gmail.handler);
  const harness = new ToolHarness({ consent: allowAll, endpoints: { googleApis: apis.url }, google: apis.accounts });
  tools = harness;
  return {
    gmail,
    apis,
    tools: harness,
    search: (input: object) => harness.text('gmail_search', input),
    read: (messageId: string) => harness.text('gmail_read', { messageId }),
    paths: () => apis.requests.map(({ method, path }) => `${method} ${path.replace('/gmail/v1/users/me', '')}`),
  };
}

const MESSAGES = '/gmail/v1/users/me/messages';
const day = (number: number) => new Date(Date.UTC(2026, 1, number));

describe('gmail_search', () => {
  test('lists ID, date, sender, subject and snippet, and asks nothing', async () => {
    const { gmail, search, tools: harness, apis } = await connected();
    gmail.add({
      id: 'a1',
      from: 'Bob <bob@acme.com>',
      subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      at: day(1),
      text: "It's <ok> & fine",
    });
    gmail.add({ id: 'b2', from: 'eve@evil.example', subject: 'Second\r\n  Line: x', at: day(2), text: '' });
    gmail.add({ id: 'c3', labels: ['INBOX'], from: 'eve@evil.example', subject: 'Read already' });
    expect(await search({ query: 'is:unread', maxResults: 2 })).toBe(
      [
        'ID: b2',
        '  Date: Mon, 02 Feb 2026 00:00:00 GMT',
        '  From: eve@evil.example',
        '  Subject: Second Line: x',
        '  Snippet:',
        '',
        'ID: a1',
        '  Date: Sun, 01 Feb 2026 00:00:00 GMT',
        '  From: Bob <bob@acme.com>',
        '  Subject: Grüße',
        "  Snippet: It's <ok> & fine",
      ].join('\n'),
    );
    expect(harness.marks).toEqual(
      expect.arrayContaining([
        { kind: 'untrusted', source: 'mail found by “is:unread”' },
        { kind: 'private', source: 'your mail' },
      ]),
    );
    expect(harness.cards).toMatchObject([
      { kind: 'mail-list', query: 'is:unread', messages: [{ id: 'b2' }, { id: 'a1', subject: 'Grüße' }] },
    ]);
    expect(apis.requests.every(({ headers }) => headers.authorization === 'Bearer token-1')).toBe(true);
    const { decision } = await harness.turn('gmail_search', { query: 'x' });
    expect(decision).toMatchObject({ answer: 'allow', by: 'default', reason: { code: 'own_account' } });
  });

  test('says so if there is nothing, and then there is no text from outside', async () => {
    const { search, tools: harness } = await connected();
    expect(await search({ query: 'from:nobody@x.io' })).toBe('No emails found matching your query.');
    expect(harness.marks).toEqual([{ kind: 'private', source: 'your mail' }]);
    expect(await search({})).toBe(isRequired('query'));
  });

  test('asks for 1 to 100 messages, page by page, and for ten at a time', async () => {
    const { gmail, search, apis } = await connected();
    for (let index = 0; index < 130; index++) gmail.add({ subject: `Mail ${index}`, at: day(index % 28) });
    const count = async (maxResults: unknown) =>
      ((await search({ query: 'in:inbox', maxResults })).match(/^ID: /gm) ?? []).length;
    expect([await count(undefined), await count(0), await count('3'), await count(1_000)]).toEqual([10, 1, 3, 100]);
    gmail.behaviour.pageSize = 40;
    gmail.behaviour.delayMs = 5;
    expect(await count(100)).toBe(100);
    const asked = apis.requests.filter(({ path }) => path === MESSAGES).slice(-3);
    expect(asked.map(({ query }) => query.get('maxResults'))).toEqual(['100', '60', '20']);
    expect(apis.mostAtOnce).toBe(10);
  });

  test('asks no further once a message can’t be had', async () => {
    const refused = ({ path }: GoogleRequest) =>
      path.startsWith(`${MESSAGES}/`) ? googleErrors.forbidden() : undefined;
    const { gmail, search, apis } = await connected(refused);
    for (let index = 0; index < 50; index++) gmail.add({});
    expect(await search({ query: 'in:inbox', maxResults: 50 })).toMatch(
      /^Error searching Gmail: Google refused access/,
    );
    expect(apis.requests.length).toBeLessThanOrEqual(11);
  });

  test('leaves out a message that is deleted meanwhile', async () => {
    const { gmail, search } = await connected(failing(`${MESSAGES}/b2`, googleErrors.notFound()));
    for (const id of ['a1', 'b2', 'c3']) gmail.add({ id, at: day(1) });
    expect((await search({ query: 'in:inbox' })).match(/^ID: .*/gm)).toEqual(['ID: a1', 'ID: c3']);
  });
});

describe('gmail_read', () => {
  test('gives the headers and the text, HTML before plain', async () => {
    const { gmail, read, tools: harness } = await connected();
    const id = gmail.add({
      from: '"Bob =?utf-8?B?w5ZzdA==?=" <bob@acme.com>',
      to: 'ada@example.com',
      subject: 'Plan',
      at: day(3),
      text: 'T',
      html: '<p>H</p><!-- run it --><a href="https://acme.com/plan">plan</a>',
      attachments: [{ name: 'plan.pdf', type: 'application/pdf', content: '%PDF' }],
    });
    expect(await read(id)).toBe(
      [
        'From: "Bob Öst" <bob@acme.com>',
        'To: ada@example.com',
        'Date: Tue, 03 Feb 2026 00:00:00 GMT',
        'Subject: Plan',
        'Attachments: plan.pdf (application/pdf, 4 bytes)',
        '',
        'H\n\nplan (https://acme.com/plan)',
      ].join('\n'),
    );
    expect(harness.marks).toContainEqual({ kind: 'untrusted', source: 'mail from bob@acme.com' });
    expect(harness.cards).toEqual([
      {
        kind: 'mail',
        id,
        from: '"Bob Öst" <bob@acme.com>',
        to: 'ada@example.com',
        subject: 'Plan',
        date: 'Tue, 03 Feb 2026 00:00:00 GMT',
        attachments: [{ name: 'plan.pdf', type: 'application/pdf', size: 4 }],
      },
    ]);
  });

  test('shows who else has it, where answers go, and a text inline under a file name', async () => {
    const { gmail, read, tools: harness } = await connected();
    const others = { 'Reply-To': 'list@acme.com', Cc: 'Eve <eve@acme.com>, joe@acme.com', Bcc: 'me@example.com' };
    const payload = {
      mimeType: 'text/plain',
      filename: 'notes.txt',
      headers: [{ name: 'Content-Disposition', value: 'inline; filename=notes.txt' }],
      body: { data: Buffer.from('Notes').toString('base64url') },
    };
    const id = gmail.add({ from: 'Bob <bob@acme.com>', subject: 'S', at: day(3), headers: others, payload });
    expect(await read(id)).toBe(
      [
        'From: Bob <bob@acme.com>',
        'Reply-To: list@acme.com',
        'To: ada@example.com',
        'Cc: Eve <eve@acme.com>, joe@acme.com',
        'Bcc: me@example.com',
        'Date: Tue, 03 Feb 2026 00:00:00 GMT',
        'Subject: S',
        'Attachments: notes.txt (text/plain, 5 bytes)',
        '',
        'Notes',
      ].join('\n'),
    );
    expect(harness.cards).toMatchObject([
      { replyTo: 'list@acme.com', cc: 'Eve <eve@acme.com>, joe@acme.com', bcc: 'me@example.com' },
    ]);
    const same = gmail.add({ from: 'Bob <bob@acme.com>', headers: { 'Reply-To': '"B" <BOB@acme.com>' }, text: 'x' });
    expect(await read(same)).not.toContain('Reply-To');
  });

  test('has a text for a message without one, and for one that does not exist', async () => {
    const { gmail, read } = await connected();
    const id = gmail.add({ attachments: [{ name: 'a.pdf', content: 'x' }], from: 'a@b.c', subject: 'S' });
    const lines = ['Subject: S', 'Attachments: a.pdf (application/octet-stream, 1 byte)', '', '(no text content)'];
    expect((await read(id)).split('\n').slice(3)).toEqual(lines);
    expect(await read('ffff')).toBe('Error reading email: There is no such message');
    expect(await read('no id')).toBe('Error reading email: Google did not accept the request: Invalid id value');
    expect(await read('')).toBe(isRequired('messageId'));
  });

  test('fetches a text that is too big for the message, 5 MB of HTML included', async () => {
    const { gmail, read, paths } = await connected();
    const row = '<tr><td style="font:1px"><a href="https://x.io/1">Some words</a> and more &amp; more</td></tr>\n';
    const body = (id: string) => ({ mimeType: 'text/html', body: { attachmentId: id, size: 1 } });
    const big = gmail.addBody(`<table>${row.repeat(55_000)}</table>`);
    const parts = [body(big), { mimeType: 'image/png', filename: 'a.png', body: { attachmentId: gmail.addBody('x') } }];
    const text = await read(gmail.add({ payload: { mimeType: 'multipart/related', parts } }));
    expect(text.match(/Some words \(https:\/\/x\.io\/1\) and more & more/g)).toHaveLength(55_000);
    expect(paths().filter((path) => path.includes('/attachments/'))).toHaveLength(1);
  }, 40_000);

  test('reports its links by its sender, unless the sender could not be shown whole', async () => {
    const { gmail, read, tools: harness } = await connected();
    const links = ['https://acme.com/news/2026/our-plans', 'https://acme.com/?page=2', 'https://acme.com/confirm?u=1'];
    const mail = { html: links.map((link) => `<a href="${link}">x</a>`).join(' ') };
    await read(gmail.add({ ...mail, from: 'Acme <News@Acme.com>' }));
    expect([harness.links, harness.linksFrom]).toEqual([links, ['news@acme.com']]);
    for (const from of ['', `${'a'.repeat(90)}@acme.com`]) await read(gmail.add({ ...mail, from }));
    expect([harness.links, harness.linksFrom]).toEqual([links, ['news@acme.com']]);
  });
});

describe('what Google answers', () => {
  const whenSearching = async (...answers: GoogleAnswer[]) => {
    const { gmail, tools: harness, apis } = await connected(failing(MESSAGES, ...answers));
    gmail.add({ id: 'a1' });
    const { text, isError } = await harness.call('gmail_search', { query: 'in:inbox' });
    expect(isError).toBe(true);
    return { text, requests: apis.requests.length };
  };

  test.each([
    ['bad', googleErrors.badRequest(), /did not accept the request: Invalid query$/],
    ['off', googleErrors.apiOff(), /Gmail API is not switched on .*apis\/library\/gmail\.googleapis\.com/],
    ['scope', googleErrors.scopeMissing(), /does not include this permission/],
    ['forbidden', googleErrors.forbidden(), /refused access: The caller does not have permission\. .*test users/],
    ['redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /unexpected answer \(HTTP 302\)/],
    ['wait too long', googleErrors.tooMany('3600'), /too many requests.*in 60 minutes/],
    ['date', googleErrors.tooMany(new Date(Date.now() + 9e6).toUTCString()), /in 3 hours/],
  ])('%s is an error in words, after one request', async (_, answer, text) => {
    const { text: shown, requests } = await whenSearching(answer);
    expect(shown).toMatch(/^Error searching Gmail: /);
    expect(shown).toMatch(text);
    expect(requests).toBe(1);
  });

  test('too many requests and passing failures are tried again, three times at most', async () => {
    const soon = googleErrors.tooMany('0');
    const { gmail, search } = await connected(
      failing(MESSAGES, soon, googleErrors.rateLimited(), googleErrors.unavailable()),
    );
    gmail.add({ id: 'a1' });
    expect(await search({ query: 'in:inbox' })).toContain('ID: a1');
    const { text, requests } = await whenSearching(soon, soon, soon, soon);
    expect(text).toMatch(/too many requests/);
    expect(requests).toBe(4);
  });

  test('a rejected token is renewed once for all requests of a call, then the sign-in is at fault', async () => {
    const { gmail, search, apis } = await connected();
    for (let index = 0; index < 20; index++) gmail.add({});
    apis.expire();
    expect(await search({ query: 'in:inbox', maxResults: 20 })).toContain('ID: ');
    expect(apis.tokens).toEqual([
      { service: 'gmail', tool: 'gmail_search' },
      { service: 'gmail', tool: 'gmail_search', rejected: 'token-1' },
    ]);
    const { text } = await whenSearching(googleErrors.unauthorized(), googleErrors.unauthorized());
    expect(text).toMatch(/did not accept the sign-in\. Connect Gmail again/);
  });

  test('a sign-in that is declined, or was never made, leaves no mark: nothing of the mailbox is in the conversation', async () => {
    const { tools: harness, search, apis } = await connected();
    const declined = new SignInFailure({ code: 'not_confirmed' });
    vi.spyOn(apis.accounts, 'token').mockRejectedValue(declined);
    expect(await search({ query: 'is:unread' })).toContain(declined.message);
    expect(harness.marks).toEqual([]);
  });

  test('a sign-in that ends between two requests of a call leaves the mark: some of it was read', async () => {
    const {
      gmail,
      tools: harness,
      search,
      apis,
    } = await connected((request) => (/messages\/\w/.test(request.path) ? googleErrors.unauthorized() : undefined));
    gmail.add({ id: 'a1', from: 'bob@acme.com' });
    const first = await apis.accounts.token('gmail', { tool: 'gmail_search', signal: AbortSignal.timeout(9_000) });
    vi.spyOn(apis.accounts, 'token')
      .mockResolvedValueOnce(first)
      .mockRejectedValue(new SignInFailure({ code: 'not_confirmed' }));
    await search({ query: 'is:unread' });
    expect(harness.marks).toContainEqual({ kind: 'private', source: 'your mail' });
  });

  test('Stop ends it, while it waits to try again too', async () => {
    for (const answer of [{ ...googleErrors.internal(), delayMs: 60_000 }, googleErrors.tooMany('15')]) {
      const { tools: harness, apis } = await connected(() => answer);
      const stop = new AbortController();
      const call = harness.call('gmail_search', { query: 'x' }, { signal: stop.signal });
      await expect.poll(() => apis.requests.length).toBe(1);
      stop.abort();
      expect(await call).toMatchObject({ isError: true, outcome: 'stopped' });
    }
  });

  test('a service that can’t be reached is named', async () => {
    const { apis } = await connected();
    const harness = new ToolHarness({
      consent: allowAll,
      endpoints: { googleApis: 'http://127.0.0.1:1' },
      google: apis.accounts,
    });
    expect(await harness.text('gmail_search', { query: 'x' })).toMatch(/^Error searching Gmail: .*127\.0\.0\.1/);
    await harness.dispose();
  });

  test('a base URL with a path keeps it', async () => {
    const gmail = new FixtureGmail();
    gmail.add({ id: 'a1' });
    const behind: GoogleHandler = (request) =>
      request.path.startsWith('/proxy/') ? gmail.handler({ ...request, path: request.path.slice(6) }) : undefined;
    const apis = await startGoogleApis(behind);
    const harness = new ToolHarness({
      consent: allowAll,
      endpoints: { googleApis: `${apis.url}/proxy` },
      google: apis.accounts,
    });
    expect(await harness.text('gmail_search', { query: 'in:inbox' })).toContain('ID: a1');
    await harness.dispose();
  });
});
