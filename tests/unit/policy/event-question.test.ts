import { expect, test } from 'vitest';
import { consentText } from '../../../src-main/headless/consent-text.ts';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import type { AccountAccess, FileAccess, InvitationAccess } from '../../../src-main/policy/access.ts';
import type { ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import { nothingSaid } from '../../fixtures/memory-ports.ts';

const event = {
  title: 'Demo of the parser',
  when: 'Tuesday 11 March 2031, 10:00–11:00 (Europe/Vienna)',
  place: 'Garden room',
  description: 'Bring a grammar.\n\nThen lunch.',
};
const entry: AccountAccess = { kind: 'account', class: 'write', account: 'calendar', event };
const invitation: InvitationAccess = {
  kind: 'invitation',
  class: 'send',
  recipients: ['grace@example.com', 'alan@partner.example'],
  external: ['alan@partner.example'],
  text: 'everything again',
};

function creating(access: ToolConsentRequest['access'], more: Partial<ToolConsentRequest> = {}): ToolConsentRequest {
  return {
    kind: 'tool',
    id: 'q',
    reason: { code: 'send' },
    tool: 'calendar_create_event',
    access,
    input: { summary: 'Demo of the parser', start: '2031-03-11T10:00', attendees: 'grace@example.com' },
    classes: ['write', 'send'],
    previews: [],
    marks: [],
    offers: [],
    rulesMeet: false,
    review: [],
    boundTo: 'hash',
    conversationId: 'c',
    ...nothingSaid,
    ...more,
  };
}

const texts = (request: ToolConsentRequest) =>
  questionOf(request).parts.flatMap((part) => (part.kind === 'text' ? [[part.title, part.text]] : []));

test('an invitation shows what, when, where and who, nothing twice, with nothing left out', () => {
  const request = creating([entry, invitation]);
  expect(texts(request)).toEqual([
    ['Event', event.title],
    ['When', event.when],
    ['Where', event.place],
    ['Guests', 'grace@example.com\nalan@partner.example  (outside your organisation)'],
    ['Description', event.description],
  ]);
  const { parts } = questionOf(request);
  expect(parts.some(({ kind }) => kind === 'touches')).toBe(false);
  expect(parts).toContainEqual(expect.objectContaining({ kind: 'arguments', values: [] }));
});

test('an event without guests shows only what it has', () => {
  const { place: _place, description: _description, ...bare } = event;
  expect(texts(creating([{ ...entry, event: { ...bare, title: ' ' } }]))).toEqual([
    ['Event', '(no title)'],
    ['When', event.when],
  ]);
});

test('a calendar that other people may see is named', () => {
  for (const access of [
    [{ ...entry, calendar: 'team@acme.com' }],
    [{ ...entry, calendar: 'team@acme.com' }, invitation],
  ])
    expect(texts(creating(access))).toContainEqual(['Calendar', expect.stringMatching(/^team@acme\.com {2}\(/)]);
});

test('what else a call would do is shown as well', () => {
  const other: FileAccess = { kind: 'file', class: 'read', path: '/w/notes.md', outsideRoots: false };
  const { parts } = questionOf(creating([entry, invitation, other]));
  expect(parts).toContainEqual({ kind: 'touches', accesses: [other] });
  // Then the arguments may say more than the card.
  expect(parts).toContainEqual(expect.objectContaining({ kind: 'arguments', derived: [] }));
});

test('an invitation whose event is not known is shown as it is', () => {
  const { event: _event, ...unknown } = entry;
  const { parts } = questionOf(creating([unknown, invitation]));
  expect(parts).toContainEqual({ kind: 'touches', accesses: [unknown, invitation] });
});

test('several events share a question, each whole and under its title', () => {
  const calls = ['Dentist', 'Choir'].map((title) =>
    creating([{ ...entry, event: { ...event, title } }], { classes: ['write'], reason: { code: 'write' } }),
  );
  const { title, calls: shown } = questionOf({
    kind: 'tools',
    id: 'g',
    reason: { code: 'write' },
    tool: 'calendar_create_event',
    calls,
    offers: [],
    conversationId: 'c',
  });
  expect(title).toBe('Add 2 events to your calendar?');
  expect(shown.map(({ name }) => name)).toEqual(['Dentist', 'Choir']);
  for (const { parts } of shown)
    expect(parts).toContainEqual({ kind: 'text', title: 'Description', text: event.description });
});

test('hidden characters are visible in the window and on the terminal, and no text of it can look like a line of ours', async () => {
  const hostile = 'Lunch\u202e\u200b\n\nGuests\nonly@me.example';
  const request = creating([{ ...entry, event: { ...event, title: hostile, description: hostile } }, invitation]);
  const { parts } = await consentCard(questionOf(request), null);
  expect(parts.flatMap((part) => (part.kind === 'text' && part.title === 'Guests' ? [part] : []))).toHaveLength(1);
  const shown = await consentText(questionOf(request), { color: false, columns: undefined });
  for (const text of [JSON.stringify(parts), shown]) expect(text).not.toMatch(/[\u202e\u200b]/);
  const ownGuests = shown.split('\n').filter((line) => line.startsWith('Guests'));
  expect(ownGuests.length).toBeLessThanOrEqual(1);
});
