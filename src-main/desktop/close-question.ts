import { shortened, visible } from '../base/text.ts';
import type { WhatRuns } from '../processes/what-runs.ts';

/** `send` and `drop` are about mail that waits to be sent; the user is asked about the rest afterwards. */
export type CloseAnswer = 'stop' | 'leave' | 'send' | 'drop' | 'cancel';

export interface CloseQuestion {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly { readonly label: string; readonly answer: CloseAnswer }[];
}

const MAX_NAMED = 8;
const MAX_NAME_LENGTH = 120;

/** What the user is asked before the window closes, or undefined if nothing is running. */
export function closeQuestion(runs: WhatRuns): CloseQuestion | undefined {
  const { commands, programs, canBeLeft } = runs;
  if (runs.mails.length > 0) return mailQuestion(runs.mails.length);
  const running = commands.length + programs.length;
  if (running === 0) return answersQuestion(runs);
  const [them, they] = running === 1 ? ['it', 'it is'] : ['them', 'they are'];
  return {
    message: `${startingWithCapital(subject(commands.length, programs.length))} still running.`,
    detail: [
      ...named(commands),
      ...named(programs),
      '',
      programs.length > 0 && canBeLeft
        ? `Stop ${them}, or leave ${programsOf(programs.length, commands.length)} running after Steward closes?${commands.length > 0 ? ' Commands that the assistant is waiting for are stopped either way.' : ''}`
        : `If you close Steward now, ${they} stopped.`,
      ...unanswered(runs.questions),
    ].join('\n'),
    buttons: [
      { label: `Stop ${them} and close`, answer: 'stop' },
      ...(programs.length > 0 && canBeLeft
        ? [{ label: `Close and leave ${programs.length === 1 ? 'it' : 'them'} running`, answer: 'leave' } as const]
        : []),
      { label: 'Cancel', answer: 'cancel' },
    ],
  };
}

/**
 * The question once the user has decided about the mails that waited. The answers that those belong to end with the
 * window, and need no second question.
 */
export function questionAfterMail({ mails }: Pick<WhatRuns, 'mails'>, runs: WhatRuns): CloseQuestion | undefined {
  return closeQuestion({ ...runs, answering: runs.answering.filter(({ id }) => !mails.includes(id)) });
}

function mailQuestion(mails: number): CloseQuestion {
  const [subject, them] = mails === 1 ? ['An email is', 'it'] : [`${mails} emails are`, 'them'];
  return {
    message: `${subject} waiting to be sent.`,
    detail: `You approved ${them}. Send ${them} now, before Steward closes?`,
    buttons: [
      { label: 'Send now', answer: 'send' },
      { label: 'Don’t send', answer: 'drop' },
      { label: 'Cancel', answer: 'cancel' },
    ],
  };
}

/** The question if no program is running, but the assistant is answering or asking. */
function answersQuestion({ answering, questions }: WhatRuns): CloseQuestion | undefined {
  if (answering.length === 0 && questions === 0) return undefined;
  const titles = answering.map(({ title }) => title);
  const [one = ''] = titles;
  const isWaiting = questions > 0;
  return {
    message: isWaiting
      ? `Steward is waiting for your answer${questions === 1 ? '' : ` to ${questions} questions`}.`
      : `Steward is still answering${answering.length === 1 ? '' : ` in ${answering.length} conversations`}.`,
    detail: [
      ...(answering.length === 1 && one !== '' ? [bullet(one)] : named(titles)),
      ...(answering.length === 0 ? [] : ['']),
      ...(isWaiting
        ? unanswered(questions)
        : ['If you close Steward now, the answer stops here. What has arrived is kept, and you can continue later.']),
    ].join('\n'),
    buttons: [
      { label: isWaiting ? 'Close without answering' : 'Stop and close', answer: 'stop' },
      { label: 'Cancel', answer: 'cancel' },
    ],
  };
}

function unanswered(questions: number): string[] {
  if (questions === 0) return [];
  return questions === 1
    ? ['A question is waiting for your answer. If you close Steward now, the action is not carried out.']
    : ['Questions are waiting for your answer. If you close Steward now, those actions are not carried out.'];
}

function subject(commands: number, programs: number): string {
  const verb = commands + programs === 1 ? 'is' : 'are';
  const parts = [
    ...(commands === 0 ? [] : [commands === 1 ? 'a command' : `${commands} commands`]),
    ...(programs === 0
      ? []
      : [programs === 1 ? 'a program that a command started' : `${programs} programs that commands started`]),
  ];
  return `${parts.join(' and ')} ${verb}`;
}

function programsOf(programs: number, commands: number): string {
  if (commands === 0) return programs === 1 ? 'it' : 'them';
  return programs === 1 ? 'the program' : 'the programs';
}

function named(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_NAMED).map(bullet);
  return lines.length > MAX_NAMED ? [...shown, `• and ${lines.length - MAX_NAMED} more`] : shown;
}

function startingWithCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Writes a name on one line, because a command or a title must not add lines of its own to the question. */
function bullet(name: string): string {
  return `• ${shortened(visible(name), MAX_NAME_LENGTH)}`;
}
