import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConsentPort, ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { FixtureCalendar, type FixtureEvent } from '../../fixtures/google/calendar-api.ts';
import { failing, googleErrors } from '../../fixtures/google/google-errors.ts';
import type { GoogleHandler } from '../../fixtures/google/google-request.ts';
import { startGoogleApis } from '../../fixtures/google/start-google-apis.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await tools?.dispose();
  tools = undefined;
});

const EVENTS = '/calendar/v3/calendars/primary/events';

async function connected({
  before = [],
  now = '2026-03-10T13:00:00Z',
  zone = 'Europe/Vienna',
}: {
  readonly before?: readonly GoogleHandler[];
  readonly now?: string;
  readonly zone?: string;
} = {}) {
  vi.stubEnv('TZ', zone);
  const calendar = new FixtureCalendar('ada@example.com', zone);
  const apis = await startGoogleApis(...before, calendar.handler);
  const asked: ToolConsentRequest[] = [];
  const consent: ConsentPort = {
    ask: (request, signal) => {
      if (request.kind === 'tool') asked.push(request);
      return allowAll.ask(request, signal);
    },
  };
  const endpoints = { googleApis: apis.url };
  const harness = new ToolHarness({ consent, endpoints, google: apis.accounts, now: () => new Date(now) });
  tools = harness;
  return {
    calendar,
    apis,
    asked,
    tools: harness,
    list: (input: object = {}) => harness.text('calendar_list_events', input),
    get: (eventId: string) => harness.text('calendar_get_event', { eventId }),
    create: (input: object) => harness.text('calendar_create_event', input),
    bodies: () => apis.requests.flatMap(({ body }) => (body === undefined ? [] : [withoutId(body)])),
  };
}

const withoutId = (body: unknown) => ({ ...(body as object), id: undefined });
const at = (dateTime: string) => ({ dateTime });
const timed = (start: string, end: string, more: FixtureEvent = {}): FixtureEvent => ({
  start: at(start),
  end: at(end),
  ...more,
});
const starts = (text: string) => [...text.matchAll(/^ {2}Start: (.*)$/gm)].map(([, start]) => start);

describe('calendar_list_events', () => {
  test('lists all seven lines of each event, empty where nothing is known', async () => {
    const { calendar, list, tools: harness } = await connected();
    const meeting = {
      id: 'meet',
      summary: 'Stand-up\nOrganizer: x',
      location: 'Room 1',
      organizer: { email: 'bob@acme.com' },
    };
    calendar.add(timed('2026-03-10T09:00:00+01:00', '2026-03-10T09:15:00+01:00', meeting));
    calendar.add({ id: 'alldayoff', organizer: {}, start: { date: '2026-03-10' }, end: { date: '2026-03-11' } });
    expect(await list()).toBe(
      [
        'ID: alldayoff',
        '  Summary: (no title)',
        '  Start: 2026-03-10',
        '  End: 2026-03-11',
        '  Location:',
        '  Status: confirmed',
        '  Organizer:',
        '',
        'ID: meet',
        '  Summary: Stand-up Organizer: x',
        '  Start: 2026-03-10T09:00:00+01:00',
        '  End: 2026-03-10T09:15:00+01:00',
        '  Location: Room 1',
        '  Status: confirmed',
        '  Organizer: bob@acme.com',
      ].join('\n'),
    );
    expect(harness.marks).toEqual([
      { kind: 'private', source: 'your calendar' },
      { kind: 'untrusted', source: 'calendar events' },
    ]);
    expect(harness.cards).toMatchObject([
      {
        kind: 'agenda',
        events: [
          { id: 'alldayoff', summary: '', start: '2026-03-10' },
          { id: 'meet', location: 'Room 1' },
        ],
      },
    ]);
  });

  test.each([
    ['Europe/Vienna', '2026-03-10T23:30:00Z', '2026-03-11T00:00:00+01:00', '2026-03-12T00:00:00+01:00'],
    ['Europe/Vienna', '2026-03-29T10:00:00Z', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    ['America/New_York', '2026-03-11T02:00:00Z', '2026-03-10T00:00:00-04:00', '2026-03-11T00:00:00-04:00'],
    ['Asia/Kolkata', '2026-10-25T12:00:00Z', '2026-10-25T00:00:00+05:30', '2026-10-26T00:00:00+05:30'],
  ])('without bounds it is the day in %s at %s', async (zone, now, timeMin, timeMax) => {
    const { list, apis } = await connected({ zone, now });
    expect(await list({ query: 'x' })).toBe('No events found.');
    const [request] = apis.requests;
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      timeMin,
      timeMax,
      q: 'x',
      singleEvents: 'true',
      orderBy: 'startTime',
      maxResults: '10',
    });
  });

  test.each([
    [{ timeMin: '2026-03-01' }, { timeMin: '2026-03-01T00:00:00+01:00' }],
    [{ timeMax: '2026-07-01' }, { timeMax: '2026-07-01T00:00:00+02:00' }],
    [{ timeMin: '2026-07-01T09:30' }, { timeMin: '2026-07-01T09:30:00+02:00' }],
    [{ timeMin: '2026-07-01T09:30:15Z' }, { timeMin: '2026-07-01T09:30:15Z' }],
    [{ timeMin: '2026-07-01T09:30-0400' }, { timeMin: '2026-07-01T09:30:00-04:00' }],
  ])('%j is sent as %j, and no other bound', async (input, bounds) => {
    const { list, apis } = await connected();
    await list(input);
    const { timeMin, timeMax } = Object.fromEntries(apis.requests[0]?.query ?? []);
    expect({ ...(timeMin && { timeMin }), ...(timeMax && { timeMax }) }).toEqual(bounds);
  });

  test.each(['tomorrow', '2026-02-30', '2026-03-01T25:00', '1.3.2026'])('%s is no bound', async (timeMin) => {
    const { tools: harness, apis } = await connected();
    expect(await harness.call('calendar_list_events', { timeMin })).toEqual({
      text: expect.stringMatching(/^Error listing calendar events: timeMin must be .*like 2026-03-01/),
      isError: true,
    });
    expect(apis.requests).toEqual([]);
  });

  test('a series keeps its local time on both sides of a change of clocks; cancelled events are left out', async () => {
    const { calendar, list } = await connected();
    const weekly = { summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
    const zone = { timeZone: 'Europe/Vienna' };
    calendar.add({
      ...weekly,
      start: { dateTime: '2026-03-22T10:00:00+01:00', ...zone },
      end: { dateTime: '2026-03-22T11:00:00+01:00', ...zone },
    });
    calendar.add(timed('2026-03-23T10:00:00+01:00', '2026-03-23T11:00:00+01:00', { status: 'cancelled' }));
    expect(starts(await list({ timeMin: '2026-03-01', timeMax: '2026-05-01' }))).toEqual([
      '2026-03-22T10:00:00+01:00',
      '2026-03-29T10:00:00+02:00',
      '2026-04-05T10:00:00+02:00',
    ]);
  });

  test('1 to 250 events, page by page', async () => {
    const { calendar, list, apis } = await connected();
    for (let index = 0; index < 300; index++)
      calendar.add(timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z', { summary: `${index}` }));
    calendar.behaviour.pageSize = 100;
    const count = async (maxResults: unknown) => starts(await list({ maxResults })).length;
    expect([await count(undefined), await count(0), await count('7'), await count(900)]).toEqual([10, 1, 7, 250]);
    expect(apis.requests.slice(-3).map(({ query }) => query.get('maxResults'))).toEqual(['250', '150', '50']);
  });
});

describe('calendar_get_event', () => {
  test('gives all details', async () => {
    const { calendar, get, tools: harness } = await connected();
    const id = calendar.add(
      timed('2026-03-10T09:00:00+01:00', '2026-03-10T10:00:00+01:00', {
        summary: 'Plan',
        location: 'Room 1',
        description: 'Hello<br><b>all</b><!-- run it -->',
        organizer: { email: 'bob@acme.com' },
        creator: { email: 'eve@acme.com' },
        recurrence: ['RRULE:FREQ=WEEKLY', 'EXDATE:20260317T090000Z'],
        attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }, { email: 'bob@acme.com' }],
        conferenceData: {
          entryPoints: [
            { entryPointType: 'phone', uri: 'tel:1' },
            { entryPointType: 'video', uri: 'https://meet.google.com/abc' },
          ],
        },
      }),
    );
    expect(await get(id)).toBe(
      [
        'Summary: Plan',
        'Status: confirmed',
        'Start: 2026-03-10T09:00:00+01:00',
        'End: 2026-03-10T10:00:00+01:00',
        'Location: Room 1',
        'Description: Hello\nall',
        'Organizer: bob@acme.com',
        'Creator: eve@acme.com',
        'Attendees:',
        '    ada@example.com (accepted)',
        '    bob@acme.com (needsAction)',
        'Conference Link: https://meet.google.com/abc',
        'Recurrence: RRULE:FREQ=WEEKLY; EXDATE:20260317T090000Z',
      ].join('\n'),
    );
    expect(harness.marks).toContainEqual({ kind: 'untrusted', source: 'calendar event “Plan”' });
    expect(harness.cards).toMatchObject([
      { kind: 'calendar-event', isNew: false, description: 'Hello\nall', meeting: 'https://meet.google.com/abc' },
    ]);
  });

  test('leaves lines empty, and says what is wrong', async () => {
    const { calendar, get } = await connected();
    const id = calendar.add({ start: { date: '2026-03-10' }, end: { date: '2026-03-11' }, organizer: {}, creator: {} });
    expect(await get(id)).toBe(
      'Summary:\nStatus: confirmed\nStart: 2026-03-10\nEnd: 2026-03-11\nLocation:\nDescription:\nOrganizer:\nCreator:',
    );
    expect(await get('nosuch')).toBe('Error getting calendar event: There is no such event or calendar');
    expect(await get('')).toBe(isRequired('eventId'));
  });
});

describe('calendar_create_event', () => {
  test('creates an all-day event, whose end is at least the next day', async () => {
    const { calendar, create, bodies } = await connected();
    const text = await create({ summary: 'Off', start: '2026-03-01', end: '2026-03-02' });
    const [event] = calendar.events();
    expect(text).toBe(
      `Event created successfully.\n  ID: ${event?.id}\n  Summary: Off\n  Start: 2026-03-01\n  End: 2026-03-02\n  Link: ${event?.htmlLink}`,
    );
    await create({ summary: 'Off', start: '2026-12-31', end: '2026-12-31' });
    expect(bodies()).toEqual([
      { id: undefined, summary: 'Off', start: { date: '2026-03-01' }, end: { date: '2026-03-02' } },
      { id: undefined, summary: 'Off', start: { date: '2026-12-31' }, end: { date: '2027-01-01' } },
    ]);
  });

  test('a time has its offset, or the user’s time zone', async () => {
    const { create, bodies } = await connected();
    await create({
      summary: 'A',
      start: '2026-03-29T10:00',
      end: '2026-03-29T11:00:30',
      location: 'Room',
      description: 'D',
    });
    await create({ summary: 'B', start: '2026-03-29T10:00:00+09:00', end: '2026-03-29T11:00Z' });
    expect(bodies()).toMatchObject([
      {
        summary: 'A',
        location: 'Room',
        description: 'D',
        start: { dateTime: '2026-03-29T10:00:00', timeZone: 'Europe/Vienna' },
        end: { dateTime: '2026-03-29T11:00:30', timeZone: 'Europe/Vienna' },
      },
      { start: { dateTime: '2026-03-29T10:00:00+09:00' }, end: { dateTime: '2026-03-29T11:00:00Z' } },
    ]);
  });

  test('guests are invited, and each is shown, those outside marked', async () => {
    const { calendar, create, bodies, asked, apis } = await connected();
    const attendees = 'bob@example.com, eve@acme.com ,,eve@acme.com';
    await create({ summary: 'Plan', start: '2026-03-11T10:00', end: '2026-03-11T11:00', attendees });
    expect(bodies()).toMatchObject([{ attendees: [{ email: 'bob@example.com' }, { email: 'eve@acme.com' }] }]);
    expect(apis.requests[0]?.query.get('sendUpdates')).toBe('all');
    expect(calendar.invited).toEqual(['bob@example.com', 'eve@acme.com']);
    expect(asked).toMatchObject([
      {
        reason: { code: 'send' },
        offers: [],
        access: [
          { kind: 'account', class: 'write', account: 'calendar' },
          {
            kind: 'invitation',
            class: 'send',
            recipients: ['bob@example.com', 'eve@acme.com'],
            external: ['eve@acme.com'],
            text: expect.stringContaining('11 March 2026, 10:00'),
          },
        ],
      },
    ]);
  });

  test('without guests it is shown in the user’s own time, and may be allowed always', async () => {
    const { create, asked, apis } = await connected();
    await create({
      summary: 'Call',
      start: '2026-03-11T10:00:00+09:00',
      end: '2026-03-11T11:00:00+09:00',
      calendarId: 'Ada@example.com',
    });
    expect(asked).toMatchObject([
      { reason: { code: 'account_write' }, offers: [{ matcher: { kind: 'account', account: 'calendar' } }] },
    ]);
    expect(asked[0]?.access).toEqual([
      {
        kind: 'account',
        class: 'write',
        account: 'calendar',
        event: {
          title: 'Call',
          when: expect.stringMatching(
            /^Wednesday,? 11 March 2026.*02:00.*03:00 \(Europe\/Vienna\)\nWritten as 2026-03-11T10:00:00\+09:00 to /,
          ),
        },
      },
    ]);
    expect(apis.requests[0]?.query.has('sendUpdates')).toBe(false);
  });

  test('another calendar may be shared, so no rule is offered', async () => {
    const { calendar, create, asked } = await connected();
    calendar.share('team@acme.com');
    const text = await create({ summary: 'A', start: '2026-03-11', end: '2026-03-12', calendarId: 'team@acme.com' });
    expect(asked).toMatchObject([{ reason: { code: 'account_shared', calendar: 'team@acme.com' }, offers: [] }]);
    expect(text).toMatch(/^Event created/);
  });

  test.each([
    [{ start: '2026-03-01', end: '2026-03-01T10:00' }, /start and end must both be dates or both be date-times$/],
    [{ start: 'noon', end: '2026-03-01' }, /start must be a date or time/],
    [{ start: '2026-03-01', end: '2026-03-02', attendees: 'Bob <bob@acme.com>' }, /attendees must be mail addresses/],
    [{ start: '2026-03-01', end: '2026-03-02', attendees: 'bob@acme.com\r\nBcc: eve@x.io' }, /attendees must be/],
    [{ start: '2026-03-01T10:00', end: '2026-03-01T09:00' }, /The specified time range is empty$/],
  ])('%j is refused', async (given, text) => {
    const { create, calendar } = await connected();
    const shown = await create({ summary: 'A', ...given });
    expect(shown).toMatch(/^Error creating calendar event: /);
    expect(shown).toMatch(text);
    expect(calendar.events()).toEqual([]);
  });

  test('what is required is named', async () => {
    const { create } = await connected();
    expect(await create({ summary: 'A', start: '2026-03-01' })).toBe(isRequired('end'));
    expect(await create({ start: '2026-03-01', end: '2026-03-02' })).toBe(isRequired('summary'));
  });

  test('a repeat after a lost answer, a failure or a crash creates nothing twice', async () => {
    let lost = 2;
    const calendar = new FixtureCalendar();
    // Google creates the event, and the answer is lost.
    const loses: GoogleHandler = async (request) => {
      const answer = (await calendar.handler(request)) ?? googleErrors.notFound();
      return request.method === 'POST' && lost-- > 0 ? googleErrors.internal() : answer;
    };
    const { create } = await connected({ before: [loses] });
    const lunch = { summary: 'Lunch', start: '2026-03-11T12:00', end: '2026-03-11T13:00' };
    expect(await create(lunch)).toMatch(/^Event created successfully\.\n {2}ID: [0-9a-v]{32}\n/);
    expect(await create(lunch)).toMatch(/^Event created successfully/);
    expect(calendar.events()).toHaveLength(1);

    // Another title, as Google keeps it, is the same event.
    const spaced = { ...lunch, summary: '  Team  lunch ' };
    expect(await create(spaced)).toMatch(/^Event created/);
    calendar.rename(calendar.events()[1]?.id ?? '', 'Team lunch');
    expect(await create(spaced)).toMatch(/\n {2}Summary: Team lunch\n/);
    expect(calendar.events()).toHaveLength(2);
    calendar.remove(calendar.events()[1]?.id ?? '');

    const [first] = calendar.events();
    calendar.cancel(first?.id ?? '');
    expect(await create(lunch)).toMatch(/^Event created successfully/);
    expect(calendar.events().map(({ status }) => status)).toEqual(['cancelled', 'confirmed']);
    expect(await tools?.text('calendar_create_event', lunch, { conversationId: 'another' })).toMatch(/^Event created/);
    expect(calendar.events()).toHaveLength(3);
  });

  test('what Google answers is said in words', async () => {
    const { create } = await connected({
      before: [failing(EVENTS, googleErrors.scopeMissing(), googleErrors.apiOff())],
    });
    const off = { summary: 'A', start: '2026-03-01', end: '2026-03-02' };
    expect(await create(off)).toMatch(/does not include this permission.*Google Calendar/);
    expect(await create(off)).toMatch(/Google Calendar API is not switched on .*calendar-json\.googleapis\.com/);
    expect(await create({ ...off, calendarId: 'no@such' })).toMatch(/There is no such event or calendar$/);
  });
});
