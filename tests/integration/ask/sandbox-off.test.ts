import { expect, onTestFinished, test } from 'vitest';
import { type AskRig, askRig, ofType } from '../../fixtures/ask.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

const none = ['--approve', 'none'];

async function decided(ask: AskRig, args: readonly string[]) {
  const { events } = await ask.events(args);
  return ofType(events, 'decision').map(({ answer, by }) => `${answer} by ${by}`);
}

test('with --sandbox off no command runs unasked because it would be held, and no model is told that it could', async (context) => {
  needSandbox(context);
  const readOnly = '/bash {"command": "node -p 6*7", "sandbox": "read-only"}';
  const ask = askRig();
  expect(await decided(ask, [...none, readOnly])).toEqual(['allow by default']);
  expect(await decided(ask, [...none, '--sandbox', 'off', readOnly])).toEqual(['deny by flag']);

  const api = await startMessagesApi({ turns: [{ text: 'yes' }, { text: 'yes' }] });
  onTestFinished(() => api.close());
  const withModel = askRig({ api: api.url });
  const model = ['--model', 'claude-sonnet-4-5'];
  expect((await withModel.run([...model, 'hi'])).code).toBe(0);
  expect((await withModel.run([...model, '--sandbox', 'off', 'hi'])).code).toBe(0);
  const [held, unheld] = api.requests.map(({ body }) => parametersOfBash(body));
  expect(held).toEqual(expect.arrayContaining(['command', 'sandbox', 'reason']));
  expect(unheld).toEqual(held?.filter((name) => name !== 'sandbox' && name !== 'reason'));
});

function parametersOfBash(body: unknown): string[] {
  const { tools } = body as { tools: { name: string; input_schema: { properties: object } }[] };
  const bash = tools.find(({ name }) => name === 'bash');
  return Object.keys(bash?.input_schema.properties ?? {});
}
