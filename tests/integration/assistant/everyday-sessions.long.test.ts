import { describe, expect, test } from 'vitest';
import { questionsBeyond } from '../../fixtures/everyday-sessions/allowance.ts';
import { play } from '../../fixtures/everyday-sessions/play.ts';
import { open, read, type Session } from '../../fixtures/everyday-sessions/session.ts';
import { bugWithDocumentation } from '../../fixtures/everyday-sessions/sessions/fixing.ts';
import { lookForJob } from '../../fixtures/everyday-sessions/sessions/jobs.ts';
import { dayWithInbox } from '../../fixtures/everyday-sessions/sessions/mail.ts';
import { whichLaptop } from '../../fixtures/everyday-sessions/sessions/research.ts';

/** The bench `questions` plays them all. How much is asked is measured there, and no matter here. */
describe('an everyday session runs to its end as scripted', () => {
  test.each([bugWithDocumentation, lookForJob])('$title', async (session) => {
    expect((await play(session)).problems).toEqual([]);
  });

  test('control: anything unexpected in a script is reported', async () => {
    const session: Session = {
      title: 'Nothing is there',
      area: 'planning',
      turns: [
        { user: 'Read a.txt', rounds: [[read('a.txt'), open('https://nowhere.example.org/')]], answer: 'I cannot.' },
      ],
    };
    const { problems } = await play(session);
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(['read_file', 'web_fetch']);
  });
});

test('a session whose hosts are public asks nothing while nothing private is in the conversation', async () => {
  expect(await play(whichLaptop)).toMatchObject({ problems: [], questions: [] });
});

test('a day with an inbox asks for what is sent, once for the calendar, and once for the links of mails', async () => {
  const played = await play(dayWithInbox);
  expect(played.problems).toEqual([]);
  expect(questionsBeyond(played)).toBe(0);
  expect(played.questions.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'host https://git.example.net/parsers/lexer/pull/41',
    'send grace@example.com',
    'send alan@partner.example',
    'send office@seminarhaus.example',
    'calendar Dentist: check-up',
    'send Demo of the parser',
  ]);

  // Control: addresses that no mail contains are asked about.
  const mails = dayWithInbox.google?.mails.map(({ html: _links, ...mail }) => mail) ?? [];
  const { questions } = await play({ ...dayWithInbox, google: { mails, events: [] } });
  expect(questions.filter(({ kind }) => kind === 'host').length).toBeGreaterThan(0);
});
