import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src-main/mcp/calls/running-calls.ts';
import { UnusableRequest } from '../../../src-main/mcp/requests/requested-form.ts';
import { serverSampling } from '../../../src-main/services/server-sampling.ts';
import { AskedUser, YES } from '../../fixtures/mcp/asked-user.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { setUp } from './claude-on-fixture.ts';

const STOPPED: ScriptedTurn = { text: 'An answer', stopReason: 'stop_sequence' };

async function rig(model: string, wanted: { temperature?: number; stopSequences?: string[] }, turn = STOPPED) {
  const { server, provider } = await setUp({ turns: [turn] });
  const user = new AskedUser(() => YES);
  const sample = serverSampling({
    consent: user.consent,
    modelOf: async () => ({ label: model, model, provider }),
  });
  const { signal } = new AbortController();
  const call = { conversationId: 'one', signal, record: (_: RecordedEvent) => undefined };
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } } as const], maxTokens: 100 };
  const answer = await sample('fixture', { ...params, ...wanted }, { call, conversations: 1 }, signal);
  return { answer, body: server.requests[0]?.body, asked: user.asked[0] };
}

test('a server’s stop sequences reach the model and are shown before; blank ones, which the service refuses, are left out', async () => {
  const { answer, body, asked } = await rig('claude-sonnet-5-5', { stopSequences: [' ', 'END', '\n', '###'] });
  expect(body).toMatchObject({ stop_sequences: ['END', '###'] });
  expect(asked).toMatchObject({ stopSequences: ['END', '###'] });
  expect(answer).toMatchObject({ stopReason: 'stopSequence' });
  const none = await rig('claude-sonnet-5-5', { stopSequences: ['\n'] });
  expect(none.body).not.toHaveProperty('stop_sequences');
});

test('where the service does not stop, the answer ends before the first stop sequence', async () => {
  const { answer } = await rig(
    'claude-sonnet-5-5',
    { stopSequences: ['###', 'END'] },
    { text: 'One END two ### three' },
  );
  expect(answer).toMatchObject({ stopReason: 'stopSequence', content: { type: 'text', text: 'One ' } });
  const whole = await rig('claude-sonnet-5-5', { stopSequences: ['###'] }, { text: 'One two' });
  expect(whole.answer).toMatchObject({ stopReason: 'endTurn', content: { type: 'text', text: 'One two' } });
});

test('a temperature, which no model of the service takes, is left out and named as not followed', async () => {
  const { body, asked } = await rig('claude-haiku-4-5', { temperature: 0.5 });
  expect(body).not.toHaveProperty('temperature');
  expect(asked).toMatchObject({ preferences: 'temperature 0.5' });
});

test.each<[string, string[]]>([
  ['too many', Array.from({ length: 21 }, () => 'x')],
  ['too long', ['x'.repeat(201)]],
])('%s stop sequences: nobody is asked', async (_, stopSequences) => {
  await expect(rig('claude-sonnet-5-5', { stopSequences })).rejects.toBeInstanceOf(UnusableRequest);
});

test('the control: the service refuses what was left out', async () => {
  const { server } = await setUp({});
  const send = async (more: object) => {
    const body = { model: 'claude-haiku-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], ...more };
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2026-10-21', 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.status;
  };
  expect(await send({})).toBe(200);
  expect(await send({ temperature: 0.5 })).toBe(400);
  expect(await send({ stop_sequences: ['\n'] })).toBe(400);
});
