import { questionsBeyond } from '../fixtures/everyday-sessions/allowance.ts';
import { freely } from '../fixtures/everyday-sessions/freely.ts';
import { inside } from '../fixtures/everyday-sessions/inside.ts';
import { type Grant, type Played, play } from '../fixtures/everyday-sessions/play.ts';
import { AREAS, type Session } from '../fixtures/everyday-sessions/session.ts';
import { SESSIONS } from '../fixtures/everyday-sessions/sessions.ts';
import type { Bench } from './bench.ts';
import { everyQuestion, sessionTable } from './question-tables.ts';
import { figure } from './report.ts';

/**
 * How often somebody is asked in everyday sessions, if they answer sensibly: `everyday-sessions/user.ts`. It is nobody's
 * speed that is measured, so there are no rounds; what is asked depends on the policy alone.
 */
export const questions: Bench = {
  name: 'questions',
  meaning: 'How often Steward interrupts an everyday session with a question.',
  run: async ({ isQuick, isVerbose, show }) => {
    const chosen = isQuick
      ? AREAS.flatMap((area) => SESSIONS.filter((session) => session.area === area).slice(0, 1))
      : SESSIONS;
    const played = await playAll(chosen);
    const looking = await playAll(chosen.map(inside));
    const free = chosen.map(inside).map(freely);
    const granting = await playAll(free, 'offered');
    const granted = await playAll(free, 'given');

    show(sessionTable(played));
    show(`Where what only looks or checks runs in the read-only sandbox:\n\n${sessionTable(looking)}`);
    show(`Where the user lets it work freely when that is offered:\n\n${sessionTable(granting)}`);
    show(`Where the user let it work freely before:\n\n${sessionTable(granted)}`);
    if (isVerbose) for (const each of [played, granting]) show(everyQuestion(each));
    const asked = played.map((each) => each.questions);
    const unit = 'questions';
    return [
      figure({ what: 'in a session', unit, ours: asked.map(({ length }) => length) }, { meanAtMost: 3.1 }),
      figure(
        { what: 'where checks say that they only look', unit, ours: looking.map((each) => each.questions.length) },
        { meanAtMost: 2.2 },
      ),
      figure(
        { what: 'with a grant to work freely', unit, ours: granting.map((each) => each.questions.length) },
        { meanAtMost: 1.7 },
      ),
      figure(
        { what: 'where that grant was given before', unit, ours: granted.map((each) => each.questions.length) },
        { meanAtMost: 0.8 },
      ),
      figure(
        {
          what: 'for reading, command lines that only read included',
          unit,
          ours: asked.map((list) => list.filter(({ kind }) => kind === 'read').length),
        },
        { atMost: 0 },
      ),
      figure(
        {
          what: 'beyond one per folder, command line, host, mail, invitation and calendar',
          unit,
          ours: played.map(questionsBeyond),
        },
        { atMost: 0 },
      ),
    ];
  },
};

async function playAll(sessions: readonly Session[], grant?: Grant): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const session of sessions) played.push(await play(session, grant === undefined ? {} : { grant }));
  const problems = played.flatMap(({ session, problems }) => problems.map((problem) => `${session.title}: ${problem}`));
  if (problems.length > 0) throw new Error(`Not everything went as it was scripted:\n${problems.join('\n')}`);
  return played;
}
