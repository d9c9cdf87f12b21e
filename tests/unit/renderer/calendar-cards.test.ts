import { describe, expect, test } from 'vitest';
import type { AgendaEvent } from '../../../src-preload/contract/tool-card.ts';
import { addDays, dayOf, daysBetween } from '../../../src-renderer/tool-cards/calendar-days.ts';
import { agendaDays, wholeTime, zoneName } from '../../../src-renderer/tool-cards/event-times.ts';
import { answersText } from '../../../src-renderer/tool-cards/guest-answers.ts';
import { recurrenceTexts } from '../../../src-renderer/tool-cards/recurrence-text.ts';

const BERLIN = { locale: 'en-GB', timeZone: 'Europe/Berlin' };
const NEW_YORK = { locale: 'en-US', timeZone: 'America/New_York' };
const now = new Date('2031-03-04T08:00:00Z');

/** Intl puts thin and narrow spaces around dashes and before AM. */
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ');

function event(id: string, start: string, end: string, more: Partial<AgendaEvent> = {}): AgendaEvent {
  return { id, summary: id, start, end, location: '', status: 'confirmed', ...more };
}

function shown(events: readonly AgendaEvent[], place = BERLIN, at = now) {
  return agendaDays(events, at, place).map(({ day, near, rows }) => ({
    day,
    near,
    rows: rows.map(({ event: { id }, time, part }) =>
      [id, plain(time), part].filter((text) => text !== '').join(' | '),
    ),
  }));
}

describe('an agenda', () => {
  test('has a heading for each day in the user’s zone, not in the event’s', () => {
    const late = event('late', '2031-03-04T23:30:00-05:00', '2031-03-05T00:15:00-05:00');
    expect(shown([late])).toEqual([{ day: '2031-03-05', near: 'tomorrow', rows: ['late | 05:30–06:15'] }]);
    expect(shown([late], NEW_YORK)).toEqual([
      { day: '2031-03-04', near: 'today', rows: ['late | from 11:30 PM | day 1 of 2'] },
    ]);
  });

  test('shows what takes the whole day first; the end of an all-day event is the day after', () => {
    const events = [
      event('standup', '2031-03-04T09:00:00+01:00', '2031-03-04T09:15:00+01:00'),
      event('birthday', '2031-03-04', '2031-03-05'),
    ];
    expect(shown(events)[0]?.rows).toEqual(['birthday | All day', 'standup | 09:00–09:15']);
    // As some calendars write it, although the end should be the next day.
    expect(shown([event('odd', '2031-03-04', '2031-03-04')])[0]?.rows).toEqual(['odd | All day']);
  });

  test('repeats an event of several days on the days that have others, and only there', () => {
    const events = [
      event('trip', '2031-03-03', '2031-03-07'),
      event('fair', '2031-03-04T18:00:00+01:00', '2031-03-06T12:00:00+01:00'),
      event('call', '2031-03-06T10:00:00+01:00', '2031-03-06T11:00:00+01:00'),
    ];
    expect(shown(events)).toEqual([
      { day: '2031-03-03', near: 'yesterday', rows: ['trip | All day | day 1 of 4'] },
      { day: '2031-03-04', near: 'today', rows: ['trip | All day | day 2 of 4', 'fair | from 18:00 | day 1 of 3'] },
      {
        day: '2031-03-06',
        near: '',
        rows: ['trip | All day | day 4 of 4', 'fair | until 12:00 | day 3 of 3', 'call | 10:00–11:00'],
      },
    ]);
  });

  test('an event that ends at midnight takes one day', () => {
    const evening = event('evening', '2031-03-04T20:00:00+01:00', '2031-03-05T00:00:00+01:00');
    expect(shown([evening])).toEqual([{ day: '2031-03-04', near: 'today', rows: ['evening | 20:00 – 00:00'] }]);
  });

  test('names the zones where the clocks change during an event', () => {
    // 1:30 comes twice in this night.
    const fall = event('fall', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00');
    expect(shown([fall], NEW_YORK)[0]?.rows).toEqual(['fall | 1:30 AM EDT – 1:30 AM EST']);
    // The hour from 2 to 3 does not exist.
    const spring = event('spring', '2031-03-30T01:30:00+01:00', '2031-03-30T03:30:00+02:00');
    expect(shown([spring])[0]?.rows).toEqual(['spring | 01:30 CET – 03:30 CEST']);
  });

  test('counts days, not hours: a day of 23 or 25 hours is one', () => {
    const events = [
      event('weekend', '2031-03-29T12:00:00+01:00', '2031-03-31T12:00:00+02:00'),
      event('monday', '2031-03-31T12:00:00+02:00', '2031-03-31T13:00:00+02:00'),
    ];
    expect(shown(events)[1]?.rows[0]).toBe('weekend | until 12:00 | day 3 of 3');
    expect(shown([event('off', '2031-10-25', '2031-10-28')])[0]?.rows).toEqual(['off | All day | day 1 of 3']);
    expect(daysBetween('2031-10-25', '2031-10-28')).toBe(3);
    expect(addDays('2031-03-30', 1)).toBe('2031-03-31');
  });

  test('says which events are cancelled, and keeps those whose times can’t be read', () => {
    const events = [event('a', '2031-03-04', '2031-03-05', { status: 'cancelled' }), event('b', 'next week', '')];
    const days = agendaDays(events, now, BERLIN);
    expect(days.map(({ rows }) => rows.map(({ isCancelled, time }) => [isCancelled, time]))).toEqual([
      [[true, 'All day']],
      [[false, 'next week']],
    ]);
  });

  test('a day belongs to the calendar that people use, in any locale', () => {
    expect(dayOf(new Date('2031-03-04T23:30:00Z'), { locale: 'fa-IR', timeZone: 'Asia/Tehran' })).toBe('2031-03-05');
    expect(dayOf(new Date('2031-03-04T23:30:00Z'), { timeZone: 'Pacific/Kiritimati' })).toBe('2031-03-05');
  });
});

test('the time of one event is written in full, with the zone’s name', () => {
  const meeting = event('m', '2031-07-04T09:00:00+02:00', '2031-07-04T09:45:00+02:00');
  expect(plain(wholeTime(meeting, BERLIN))).toBe('Friday, 4 July 2031, 09:00–09:45');
  expect(zoneName(meeting, BERLIN)).toBe('Central European Summer Time');
  expect(plain(wholeTime(event('x', '2031-03-03', '2031-03-07'), BERLIN))).toBe(
    'Monday 3 March – Thursday 6 March 2031',
  );
  expect(zoneName(event('x', '2031-03-03', '2031-03-07'), BERLIN)).toBe('');
  const fall = event('fall', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00');
  expect(plain(wholeTime(fall, NEW_YORK))).toMatch(/1:30 AM EDT – 1:30 AM EST$/);
  expect(wholeTime(event('y', 'soon', ''), BERLIN)).toBe('soon');
});

test.each([
  ['RRULE:FREQ=DAILY', 'Every day'],
  ['RRULE:FREQ=WEEKLY', 'Every week'],
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
  ['RRULE:FREQ=WEEKLY;WKST=MO;INTERVAL=2;BYDAY=MO,TH', 'Every 2 weeks on Monday and Thursday'],
  ['RRULE:FREQ=WEEKLY;UNTIL=20310630T215959Z;BYDAY=TU', 'Every week on Tuesday, until 30 Jun 2031'],
  ['RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=6', 'Every month on the 2nd Tuesday, 6 times'],
  ['RRULE:FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
  ['RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3', 'Every month on the 3rd Tuesday'],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1', 'Every month on the 15th and the last day'],
  ['RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU', 'Every year in May on the 2nd Sunday'],
  ['EXDATE;TZID=Europe/Berlin:20310311T090000,20310318T090000', 'Except on 2 dates'],
  ['RDATE;VALUE=DATE:20310402', 'Also on 1 date'],
  // Better the rule itself than half of it.
  ['RRULE:FREQ=HOURLY', 'RRULE:FREQ=HOURLY'],
  ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1'],
  ['RRULE:FREQ=YEARLY;BYWEEKNO=20', 'RRULE:FREQ=YEARLY;BYWEEKNO=20'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=many', 'RRULE:FREQ=WEEKLY;INTERVAL=many'],
])('%s is %s', (line, text) => {
  expect(recurrenceTexts([line], BERLIN)).toEqual([text]);
});

test('guests’ answers are counted', () => {
  const guests = ['accepted', 'needsAction', 'accepted', 'declined', ''].map((response) => ({
    email: 'a@b.c',
    response,
  }));
  expect(answersText(guests)).toBe('2 yes, 1 no, 2 waiting');
});
