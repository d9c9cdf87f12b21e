import type { GivenMail } from '../../../fixtures/google/gmail-api.ts';
import { call, link, open, page, type Session, saying } from '../session.ts';

const SITE = 'https://www.parsers.example';
const VENUE = 'https://seminarhaus.example/rooms/garden';
const TRAIN = 'https://trains.example/connections/vienna-graz?day=2031-03-11';
const PULL = 'https://git.example.net/parsers/lexer/pull/41';
const WIKI = 'https://wiki.example.com/display/TEAM/Release+checklist';
const NEWS = 'https://weekly.example.org/issues/212/error-messages-that-help';

/** Newest first, as Gmail lists them. */
const MAILS: readonly GivenMail[] = [
  {
    from: 'Grace Hopper <grace@example.com>',
    subject: 'Demo on Tuesday?',
    text: 'Hello Ada,\n\ndoes ten on Tuesday suit you for the demo? Alan would come too, alan@partner.example.\n\nGrace',
  },
  {
    from: 'Alan Turing <alan@partner.example>',
    subject: 'Error positions',
    html: `<p>Hi Ada,</p><p>could you look at <a href="${PULL}">the change</a> and tell me whether columns begin at 0 or 1?</p><p>Alan</p>`,
  },
  {
    from: 'Seminarhaus <office@seminarhaus.example>',
    subject: 'Your enquiry: a room for 12 people',
    html: `<p>Dear Ms Lovelace,</p><p><a href="${VENUE}">the garden room</a> is free on 11 March. Shall we reserve it?</p>`,
  },
  {
    from: 'Trains <info@trains.example>',
    subject: 'Vienna to Graz on 11 March',
    html: `<p>Your connection has a new timetable: <a href="${TRAIN}">see the day</a>.</p>`,
  },
  {
    from: 'Dr. Brandt <praxis@dentist.example>',
    subject: 'Your check-up',
    text: 'We have kept Thursday 13 March, 8:30, for your check-up. Please call if it does not suit you.',
  },
  {
    from: 'Parsers Conference <news@parsers.example>',
    subject: 'Call for talks',
    html: `<p><a href="${SITE}/2031/talks">Topics</a>, <a href="${SITE}/2031/dates">dates</a> and <a href="${SITE}/2031/venue">the venue</a>.</p>`,
  },
  {
    from: 'Team wiki <wiki@example.com>',
    subject: 'Release checklist was edited',
    html: `<p>Mary edited <a href="${WIKI}">Release checklist</a>.</p>`,
  },
  {
    from: 'Programming Weekly <list@weekly.example.org>',
    subject: 'Issue 212',
    html: `<p><a href="${NEWS}">Error messages that help</a></p><p><a href="https://weekly.example.org/unsubscribe?u=a91b2c3d4e5f6a7b8c">Unsubscribe</a></p>`,
  },
  ...[
    'Invoice 2031-118',
    'Parcel on its way',
    'Minutes of Monday',
    'Photos of the hike',
    'New sign-in on your laptop',
    'Library: two books are due',
    'Choir: the new scores',
    'Your bank statement',
    'Build 1182 passed',
    'Neighbours: water is off on Friday',
    'Survey: how was your stay?',
    'Old keyboard, does anyone want it?',
  ].map((subject, index) => ({
    from: `Sender ${index} <sender${index}@senders${index}.example>`,
    subject,
    text: `${subject}.\n\nFor your information; nothing to do.`,
  })),
];

const idOf = (index: number) => `19a4c0ffee${String(index).padStart(6, '0')}`;
const mail = (index: number) => call('gmail_read', { messageId: idOf(index) });
const sends = (input: Readonly<Record<string, string>>) => saying('Email sent', call('gmail_send', input));
const creates = (input: Readonly<Record<string, string>>) =>
  saying('Event created', call('calendar_create_event', input));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

export const dayWithInbox: Session = {
  title: 'A day with an inbox',
  area: 'mail',
  folder: 'notes',
  files: { 'talk.md': '# Talk\n\n- error positions\n- a demo\n' },
  google: {
    mails: MAILS.map((each, index) => ({ id: idOf(index), at: new Date(Date.UTC(2031, 2, 7, 9, 0 - index)), ...each })),
    events: [
      {
        summary: 'Choir',
        start: { dateTime: '2031-03-11T18:00:00+01:00' },
        end: { dateTime: '2031-03-11T20:00:00+01:00' },
      },
    ],
  },
  web: {
    [PULL]: page('Columns begin at 1', 'As in most editors.'),
    [VENUE]: page('Garden room', 'Up to 14 people.', link('https://seminarhaus.example/prices', 'Prices')),
    'https://seminarhaus.example/prices': page('Prices', 'Garden room: 180 a day.'),
    [TRAIN]: page('Vienna to Graz', '6:58, 7:58, 8:58'),
    [`${SITE}/2031/talks`]: page('Topics', 'Error recovery, incremental parsing.'),
    [`${SITE}/2031/dates`]: page('Dates', 'Talks until 1 May.'),
    [`${SITE}/2031/venue`]: page('Venue', 'Graz.'),
    [WIKI]: page('Release checklist', 'Tag, build, announce.'),
    [NEWS]: page('Error messages that help', 'Say what happened and what to do.'),
  },
  turns: [
    {
      person: 'Go through my unread mail: what needs an answer today, and what is only for information?',
      rounds: [
        saying('Call for talks', call('gmail_search', { query: 'in:inbox is:unread', maxResults: 20 })),
        range(0, 5).map(mail),
        range(5, 10).map(mail),
        range(10, 20).map(mail),
        [open(PULL), open(VENUE), open(TRAIN), open(WIKI)],
        [open(`${SITE}/2031/talks`), open(`${SITE}/2031/dates`), open(`${SITE}/2031/venue`), open(NEWS)],
        saying('180 a day', open('https://seminarhaus.example/prices')),
      ],
      answer: 'Three need an answer: Grace (demo on Tuesday), Alan (columns), and the Seminarhaus (the room).',
    },
    {
      person: 'Tell Grace yes, tell Alan that columns begin at 1, and have the room reserved.',
      rounds: [
        sends({
          to: 'grace@example.com',
          subject: 'Re: Demo on Tuesday?',
          body: 'Hello Grace,\n\nten on Tuesday is fine.\n\nAda',
        }),
        sends({
          to: 'alan@partner.example',
          subject: 'Re: Error positions',
          body: 'Hi Alan,\n\ncolumns begin at 1, as in your change.\n\nAda',
        }),
        sends({
          to: 'office@seminarhaus.example',
          subject: 'Re: Your enquiry: a room for 12 people',
          body: 'Please reserve the garden room for 11 March.\n\nAda Lovelace',
        }),
      ],
      answer: 'All three are sent.',
    },
    {
      person:
        'Put the dentist into my calendar, with half an hour to get there, and invite Grace and Alan to the demo on Tuesday at ten.',
      rounds: [
        saying('Choir', call('calendar_list_events', { timeMin: '2031-03-10', timeMax: '2031-03-15' })),
        creates({
          summary: 'Dentist: check-up',
          start: '2031-03-13T08:30',
          end: '2031-03-13T09:15',
        }),
        creates({
          summary: 'On the way to the dentist',
          start: '2031-03-13T08:00',
          end: '2031-03-13T08:30',
        }),
        creates({
          summary: 'Demo of the parser',
          start: '2031-03-11T10:00',
          end: '2031-03-11T11:00',
          location: 'Garden room',
          attendees: 'grace@example.com, alan@partner.example',
        }),
        saying('Demo of the parser', call('calendar_list_events', { timeMin: '2031-03-10', timeMax: '2031-03-15' })),
      ],
      answer: 'Both are in your calendar, and Grace and Alan are invited.',
    },
    {
      person: 'Did Grace answer meanwhile? And what was the deadline for talks again?',
      rounds: [
        call('gmail_search', { query: 'from:grace is:unread newer_than:1d' }),
        mail(5),
        open(`${SITE}/2031/dates`),
      ],
      answer: 'No. Talks can be submitted until 1 May.',
    },
  ],
};
