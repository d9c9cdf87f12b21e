import { describe, expect, test } from 'vitest';
import { parseTime } from '../../../../src-main/tools/google/calendar-times.ts';
import { eventDetails, eventInWords, newEvent } from '../../../../src-main/tools/google/new-event.ts';

const PREFIX = 'Error creating calendar event: ';
const day = { summary: 'Lunch', start: '2026-03-01', end: '2026-03-02' };
const refused = (given: Partial<Parameters<typeof newEvent>[0]>) => {
  try {
    newEvent({ ...day, ...given }, PREFIX);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
};

describe('guests', () => {
  test('are the addresses that mail servers see, each once', () => {
    const { attendees } = newEvent({ ...day, attendees: 'ada@Example.org, bob@аcme.com, ada@example.org,' }, PREFIX);
    // The second domain begins with a Cyrillic letter.
    expect(attendees).toEqual([{ email: 'ada@example.org' }, { email: 'bob@xn--cme-5cd.com' }]);
  });

  test.each([
    ['a Cyrillic letter in the name', 'bоb@acme.com'],
    ['a zero-width space', 'bob@ac\u200bme.com'],
    ['a direction override', '\u202emoc.emca@bob'],
    ['a display name', 'Bob <bob@acme.com>'],
    ['a header', 'bob@acme.com\r\nBcc: eve@x.io'],
    ['no domain', 'bob@acme'],
  ])('%s is refused', (_what, attendees) => {
    const message = refused({ attendees });
    expect(message).toMatch(/^Error creating calendar event: attendees must be/);
    expect(message).not.toMatch(/[\u200b\u202e]/);
  });
});

test('a title or place of two lines is refused, because it could pass for the time', () => {
  const forged = { ...newEvent(day, PREFIX), summary: 'Lunch\nMonday 2 March 2026, all day' };
  // The control: it would.
  expect(eventInWords(eventDetails(forged))).toMatch(/^Lunch\nMonday 2 March 2026, all day\nSunday/);
  for (const line of ['\n', '\r', '\u2028', '\u0085']) {
    expect(refused({ summary: `Lunch${line}Monday` })).toMatch(/: summary must be one line/);
    expect(refused({ location: `Room${line}Monday` })).toMatch(/: location must be one line/);
  }
  expect(refused({ description: 'One\nTwo' })).toBe('accepted');
});

test('a time with an offset that does not exist is none', () => {
  expect(parseTime('2026-03-02T10:00+99:99')).toBeUndefined();
  expect(parseTime('2026-03-02T10:00+0545')).toMatchObject({ offset: '+05:45' });
  expect(refused({ start: '2026-03-02T10:00+99:99', end: '2026-03-02T11:00' })).toMatch(
    /: start must be a date or time/,
  );
});
