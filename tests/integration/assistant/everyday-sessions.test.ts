import { describe, expect, test } from 'vitest';
import { play } from '../../bench/questions/play.ts';
import { open, read, type Session } from '../../bench/questions/session.ts';
import { bugWithDocumentation } from '../../bench/questions/sessions/fixing.ts';
import { lookForJob } from '../../bench/questions/sessions/jobs.ts';
import { whichLaptop } from '../../bench/questions/sessions/research.ts';

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
        { person: 'Read a.txt', rounds: [[read('a.txt'), open('https://nowhere.example.org/')]], answer: 'I cannot.' },
      ],
    };
    const { problems } = await play(session);
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(['read_file', 'web_fetch']);
  });
});

test('its hosts are judged as public: with nothing private in the conversation it does not ask', async () => {
  expect(await play(whichLaptop)).toMatchObject({ problems: [], questions: [] });
});
