import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ClientResponse } from '../../../src-main/client-tools/records.ts';
import { DesktopHost, type DesktopHostPorts } from '../../../src-main/ipc/desktop-tools/desktop-host.ts';
import { ModelQuestions } from '../../../src-main/ipc/desktop-tools/model-questions.ts';
import type { AssessContext } from '../../../src-main/tools/contract.ts';

test('a call that is sent again is done again; one of an earlier turn is not', async () => {
  const answers: ClientResponse[] = [];
  const ports: Pick<DesktopHostPorts, 'questions' | 'show' | 'answer'> = {
    questions: new ModelQuestions({ onChange: () => undefined, onAsked: () => undefined }),
    show: { message: () => undefined, file: () => undefined },
    answer: (response) => answers.push(response),
  };
  const host = new DesktopHost('conversation', ports as DesktopHostPorts);
  const input = { text: 'Half done' };
  await host.ownCode.effectsOf('show_message', input, { callId: 'call' } as AssessContext);
  const send = (requestId: string) =>
    host.request({ requestId, toolName: 'show_message', callId: 'call', arguments: input });
  send('first');
  send('second');
  host.turnStarts();
  send('later');
  await expect.poll(() => answers).toHaveLength(3);
  expect(answers.map(({ success }) => success)).toEqual([true, true, false]);
});

test('a question that Stop withdrew is not answered any more', async () => {
  const answers: ClientResponse[] = [];
  const questions = new ModelQuestions({ onChange: () => undefined, onAsked: () => undefined });
  const ports: Pick<DesktopHostPorts, 'questions' | 'answer'> = {
    questions,
    answer: (response) => answers.push(response),
  };
  const host = new DesktopHost('conversation', ports as DesktopHostPorts);
  const input = { question: 'Which one?' };
  await host.ownCode.effectsOf('ask_user', input, { callId: 'call' } as AssessContext);
  host.request({ requestId: 'asked', toolName: 'ask_user', callId: 'call', arguments: input });
  expect(questions.open).toHaveLength(1);
  host.cancel('asked');
  await setImmediate();
  expect(questions.open).toEqual([]);
  expect(answers).toEqual([]);
});

test('a message that is too long is refused with a text for the user', async () => {
  const host = new DesktopHost('conversation', {} as DesktopHostPorts);
  const effects = host.ownCode.effectsOf('show_message', { text: 'x'.repeat(501) }, {
    callId: 'call',
  } as AssessContext);
  await expect(effects).rejects.toThrow('Error: text is too long. It may have up to 500 characters.');
});
