import { expect, test } from 'vitest';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import { LastYes } from '../../../src-main/ipc/consent/last-yes.ts';
import type { ConsentQuestion } from '../../../src-main/policy/question/consent-question.ts';
import type { QuestionPart } from '../../../src-main/policy/question/question-parts.ts';
import type { Consequence } from '../../../src-preload/contract/consequence.ts';

const question = (parts: readonly QuestionPart[], risk: ConsentQuestion['risk'] = 'grave'): ConsentQuestion => ({
  id: 'q',
  kind: 'tool',
  title: 'Run a command?',
  reason: { code: 'command' },
  tool: 'bash',
  conversationId: 'c',
  parts,
  offers: [],
  mayPassVariables: false,
  takesWord: true,
  reviews: 0,
  risk,
  noRule: null,
  calls: [],
});
const risks = (...codes: ('deletes_files' | 'publishes')[]): QuestionPart => ({
  kind: 'consequences',
  steps: [],
  consequences: codes.map((code): Consequence => ({ code })),
});
const command = (line: string, directory = '/w'): QuestionPart => ({
  kind: 'command',
  line,
  directory,
  steps: [{ text: line, isGrave: true }],
});
const text = (title: string, content: string): QuestionPart => ({ kind: 'text', title, text: content });

/** What the second card marks after the first was allowed; `null`: nothing is compared. */
async function marksOf(first: ConsentQuestion, second: ConsentQuestion): Promise<readonly string[] | null> {
  const lastYes = new LastYes();
  lastYes.allowed(first, await lastYes.marked(first, await consentCard(first, null)));
  const card = await lastYes.marked(second, await consentCard(second, null));
  if (card.comparesWithLast !== true) return null;
  return card.parts.flatMap((part) => [
    ...(part.isNew ? [part.kind === 'command' ? part.directory : part.title] : []),
    ...(part.kind === 'command' ? part.steps.flatMap((step) => (step.isNew ? [step.text] : [])) : []),
  ]);
}

test('the words of a command that the last one did not have are marked, and so is another folder', async () => {
  const deletes = risks('deletes_files');
  const first = question([deletes, command('rm -rf build')]);
  expect(await marksOf(first, first)).toEqual([]);
  expect(await marksOf(first, question([deletes, command('rm -rf src')]))).toEqual(['src']);
  expect(await marksOf(first, question([deletes, command('rm -rf build', '/home')]))).toEqual(['/home']);
});

test('the line is shown whole, even if a mark begins inside a step', async () => {
  const lastYes = new LastYes();
  const first = question([risks('deletes_files'), command('rm a')]);
  lastYes.allowed(first, await consentCard(first, null));
  const second = question([
    risks('deletes_files'),
    {
      kind: 'command',
      line: 'cd x && rm a b',
      directory: '/w',
      steps: [
        { text: 'cd x ', isGrave: false },
        { text: '&& rm a b', isGrave: true },
      ],
    },
  ]);
  const card = await lastYes.marked(second, await consentCard(second, null));
  const steps = card.parts.flatMap((part) => (part.kind === 'command' ? part.steps : []));
  expect(steps.map((step) => step.text).join('')).toBe('cd x && rm a b');
  expect(
    steps
      .filter((step) => step.isGrave)
      .map((step) => step.text)
      .join(''),
  ).toBe('&& rm a b');
});

test('everything else that is shown is compared too: a mail with another text is another mail', async () => {
  const mail = (to: string, body: string) => question([risks('publishes'), text('To', to), text('Full text', body)]);
  expect(await marksOf(mail('a@x.example', 'Hi'), mail('b@x.example', 'Hi'))).toEqual(['To']);
  expect(await marksOf(mail('a@x.example', 'Hi'), mail('a@x.example', 'Hi!'))).toEqual(['Full text']);
});

test('only grave ones of the same tool and risks are compared', async () => {
  const first = question([risks('deletes_files'), command('rm a')]);
  expect(await marksOf(first, question([risks('publishes'), command('npm publish')]))).toBeNull();
  expect(await marksOf(first, { ...first, tool: 'run_command' })).toBeNull();
  const plain = question([command('ls')], 'plain');
  expect(await marksOf(plain, plain)).toBeNull();
});
