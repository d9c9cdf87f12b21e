import { expect, test } from 'vitest';
import { closeQuestion, questionAfterMail } from '../../../src-main/desktop/close-question.ts';

const NOTHING = { commands: [], programs: [], canBeLeft: true, answering: [], mails: [], questions: 0 };
const TRIP = { id: 'trip', title: 'Plan the trip' };
const ADA = { id: 'ada', title: 'Write to Ada' };
const answers = (question: ReturnType<typeof closeQuestion>) => question?.buttons.map(({ answer }) => answer);

test('with nothing running it does not ask', () => {
  expect(closeQuestion(NOTHING)).toBeUndefined();
});

test('a command that the assistant waits for can only be stopped', () => {
  const question = closeQuestion({ ...NOTHING, commands: ['npm test'] });
  expect(question).toEqual({
    message: 'A command is still running.',
    detail: '• npm test\n\nIf you close Steward now, it is stopped.',
    buttons: [
      { label: 'Stop it and close', answer: 'stop' },
      { label: 'Cancel', answer: 'cancel' },
    ],
  });
});

test('programs that commands started can be left running, where the system lets them', () => {
  const programs = ['npm run dev', 'redis-server'];
  expect(closeQuestion({ ...NOTHING, programs })).toEqual({
    message: '2 programs that commands started are still running.',
    detail: '• npm run dev\n• redis-server\n\nStop them, or leave them running after Steward closes?',
    buttons: [
      { label: 'Stop them and close', answer: 'stop' },
      { label: 'Close and leave them running', answer: 'leave' },
      { label: 'Cancel', answer: 'cancel' },
    ],
  });
  expect(answers(closeQuestion({ ...NOTHING, programs, canBeLeft: false }))).toEqual(['stop', 'cancel']);
});

test('commands and programs left running share one question', () => {
  const question = closeQuestion({ ...NOTHING, commands: ['npm test'], programs: ['npm run dev'] });
  expect(question?.message).toBe('A command and a program that a command started are still running.');
  expect(question?.detail.split('\n').at(-1)).toBe(
    'Stop them, or leave the program running after Steward closes? Commands that the assistant is waiting for are stopped either way.',
  );
  expect(answers(question)).toEqual(['stop', 'leave', 'cancel']);
});

test('an answer that is being written is asked about, with the conversation that it belongs to', () => {
  const question = closeQuestion({ ...NOTHING, answering: [TRIP] });
  expect([question?.message, question?.detail.split('\n')[0]]).toEqual([
    'Steward is still answering.',
    '• Plan the trip',
  ]);
  expect(answers(question)).toEqual(['stop', 'cancel']);
  expect(closeQuestion({ ...NOTHING, answering: [TRIP, ADA] })?.message).toBe(
    'Steward is still answering in 2 conversations.',
  );
});

test('a waiting question is named first, even with a command running', () => {
  const waiting = closeQuestion({ ...NOTHING, answering: [TRIP], questions: 1 });
  expect([waiting?.message, answers(waiting)]).toEqual(['Steward is waiting for your answer.', ['stop', 'cancel']]);
  expect(closeQuestion({ ...NOTHING, questions: 2 })?.message).toBe(
    'Steward is waiting for your answer to 2 questions.',
  );
  const both = closeQuestion({ ...NOTHING, commands: ['npm test'], questions: 1 });
  expect(both?.message).toBe('A command is still running.');
  expect(both?.detail).toContain('A question is waiting');
});

test('many or long names are cut in the question', () => {
  const question = closeQuestion({ ...NOTHING, programs: Array.from({ length: 11 }, () => 'x'.repeat(500)) });
  const lines = question?.detail.split('\n') ?? [];
  expect([lines[8], lines.length, Math.max(...lines.map(({ length }) => length))]).toEqual(['• and 3 more', 11, 122]);
});

test('a command or a title cannot add lines to the question', () => {
  const lies = 'sleep 9 #\n\nNothing is lost.\u202e';
  for (const runs of [{ commands: [lies] }, { programs: [lies] }, { answering: [{ id: 'c', title: lies }] }]) {
    const lines = closeQuestion({ ...NOTHING, ...runs })?.detail.split('\n') ?? [];
    expect(lines.find((line) => line.startsWith('•'))).toContain('Nothing is lost.');
    expect(lines).not.toContain('Nothing is lost.');
    expect(lines.join('')).not.toContain('\u202e');
  }
});

test('waiting mail is asked about first, and what else runs afterwards', () => {
  const question = closeQuestion({ ...NOTHING, mails: ['ada', 'ada'], commands: ['npm test'], answering: [ADA] });
  expect(answers(question)).toEqual(['send', 'drop', 'cancel']);
  expect(question?.message).toBe('2 emails are waiting to be sent.');
});

test('after the mail, only the answer that it belongs to needs no question', () => {
  const before = { mails: ['ada'] };
  expect(questionAfterMail(before, NOTHING)).toBeUndefined();
  expect(questionAfterMail(before, { ...NOTHING, answering: [ADA] })).toBeUndefined();
  const other = questionAfterMail(before, { ...NOTHING, answering: [ADA, TRIP] });
  expect([answers(other), other?.detail.split('\n')[0]]).toEqual([['stop', 'cancel'], '• Plan the trip']);
  for (const runs of [{ commands: ['npm test'] }, { programs: ['npm run dev'] }, { questions: 1 }])
    expect(answers(questionAfterMail(before, { ...NOTHING, answering: [ADA], ...runs }))).toContain('stop');
  expect(answers(questionAfterMail(before, { ...NOTHING, mails: ['trip'] }))).toContain('send');
});
