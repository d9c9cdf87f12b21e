import { afterEach, expect, test } from 'vitest';
import { configSchema } from '../../../src-main/settings/config-schema.ts';
import { Advisor, type AskModelRigOptions, askModelRig, type Said } from '../../fixtures/ask-model-rig.ts';

let rigged: ReturnType<typeof askModelRig> | undefined;
afterEach(async () => {
  await rigged?.harness.dispose();
  rigged = undefined;
});

function rig(advisors: Readonly<Record<string, Advisor>>, options: AskModelRigOptions = {}) {
  rigged = askModelRig(advisors, options);
  return rigged;
}

const saying = (name: string, ...said: readonly Said[]) =>
  new Advisor(name, (_request, index) => said[index] ?? said.at(-1) ?? { text: '' });
const getTime = { calls: [{ name: 'get_time' }] };

test('a model that always calls a tool generates exactly ten times; what it said is kept, with the notice', async () => {
  const silent = saying('flash', getTime);
  const { ask, ofType } = rig({ flash: silent });
  expect((await ask('flash')).text).toBe('[Stopped after 10 iterations]');
  expect(silent.requests).toHaveLength(10);
  expect(ofType('tool_call').filter(({ name }) => name === 'get_time')).toHaveLength(10);

  silent.requests.length = 0;
  silent.say = (_request, index) => ({ ...getTime, text: `step ${index}` });
  const { text, isError } = await ask('flash');
  const steps = Array.from({ length: 10 }, (_, index) => `step ${index}`);
  expect({ text, isError }).toEqual({ text: [...steps, '[Stopped after 10 iterations]'].join('\n'), isError: false });
});

test('the answer is everything that was said, before and after tool calls, and a pause does not part it', async () => {
  const flash = saying(
    'flash',
    { ...getTime, text: 'I look at the clock.' },
    { ...getTime, text: '  ' },
    { text: 'It is ', stopReason: 'pause_turn' },
    { text: 'late.' },
  );
  expect((await rig({ flash }).ask('flash')).text).toBe('I look at the clock.\nIt is late.');
});

test('what was said before a tool call is the answer if nothing follows it', async () => {
  const flash = saying('flash', { ...getTime, text: 'Done so far.' }, { text: '', stopReason: 'max_tokens' });
  const { text, isError } = await rig({ flash }).ask('flash');
  expect({ text, isError }).toEqual({ text: 'Done so far.', isError: false });
});

test('each question has its own messages, also those that are asked at the same time and after an error', async () => {
  const flash = new Advisor('flash', async (request, index) => {
    if (index === 0) return { fails: 'overloaded' };
    await new Promise((resolve) => setImmediate(resolve));
    return request.messages.length === 1 ? getTime : { text: JSON.stringify(request.messages[0]) };
  });
  const { ask, run, ofType } = rig({ flash });
  expect((await ask('flash', { prompt: 'one' })).isError).toBe(true);
  await run(
    { id: 'two', name: 'ask_flash', input: { prompt: 'two' } },
    { id: 'three', name: 'ask_flash', input: { query: 'three' } },
  );
  expect(flash.requests.filter(({ messages }) => messages.length === 1).map(({ messages }) => messages)).toEqual(
    ['one', 'two', 'three'].map((text) => [{ role: 'user', content: [{ type: 'text', text }] }]),
  );
  for (const id of ['two', 'three'])
    expect(ofType('tool_result').find((each) => each.id === id)?.text).toContain(`"${id}"`);
  // An answer follows its question: assistant with its calls, then their results.
  const second = flash.requests.find(({ messages }) => messages.length === 3);
  expect(second?.messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
    ['user', ['text']],
    ['assistant', ['tool_use']],
    ['user', ['tool_result']],
  ]);
  expect(second?.system).toBe('');
});

test('missing keys, wrong keys and services that do not answer are found at the first call, and tried again at the next', async () => {
  const flash = saying('flash', { text: 'here' });
  const other = saying('other', { text: 'other' });
  const { ask, opened, ofType } = rig({ flash, other });
  expect(opened).toEqual([]);
  for (const fails of ['no_key', 'wrong_key', 'offline', 'no_answer', 'stream_broken'] as const) {
    flash.say = () => ({ fails });
    const { text, isError, outcome } = await ask('flash');
    expect({ text, isError, outcome }).toEqual({
      text: 'Error: Failed to connect to provider: flash',
      isError: true,
      outcome: 'failed',
    });
  }
  expect((await ask('other')).text).toBe('other');
  flash.say = () => ({ text: 'here' });
  expect((await ask('flash')).text).toBe('here');
  expect((await ask('flash')).text).toBe('here');
  // The provider is opened anew after each failure, and then kept.
  expect(opened.filter((name) => name === 'flash')).toHaveLength(6);
  // The user learns why.
  expect(ofType('notice').map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'asked_model_unreachable'));
});

test('other failures of the service are its own words, also one that begins in the middle', async () => {
  const flash = saying('flash', { fails: 'rate_limited' });
  const { ask } = rig({ flash });
  expect((await ask('flash')).text).toBe('Error: It failed: rate_limited.');
  flash.requests.length = 0;
  flash.say = (_request, index) => (index === 0 ? getTime : { fails: 'offline' });
  expect((await ask('flash')).text).toBe('Error: It failed: offline.');
  flash.say = () => ({ text: 'no', stopReason: 'refusal' });
  expect((await ask('flash')).isError).toBe(true);
  flash.say = () => ({ stopReason: 'max_tokens' });
  expect((await ask('flash', { prompt: 'x', max_tokens: 7 })).text).toContain('7 tokens');
  flash.say = () => ({ text: 'cut', stopReason: 'max_tokens' });
  expect((await ask('flash')).text).toBe('cut');
});

test('files that its service refuses are reported once per question, though every generation leaves them out', async () => {
  const refusedFiles = ['chart.pdf'];
  const flash = saying('flash', { ...getTime, refusedFiles }, { text: 'here', refusedFiles });
  const { ask, ofType } = rig({ flash });
  await ask('flash');
  expect(ofType('notice')).toEqual([
    expect.objectContaining({ code: 'files_refused', message: expect.stringMatching(/^flash: .*chart\.pdf.*damaged/) }),
  ]);
});

test('parameters: the prompt is required, max_tokens has the defaults of the provider and of E, and is at least 1', async () => {
  const flash = saying('flash', { text: 'ok' });
  const long = saying('long', { text: 'ok' });
  const { ask } = rig(
    { flash, long },
    {
      providers: {
        flash: { type: 'anthropic', model: 'f' },
        long: { type: 'anthropic', model: 'l', maxTokens: 5_000, temperature: 0.3, effort: 'low' },
      },
    },
  );
  expect((await ask('flash', {})).text).toBe('Error: prompt parameter is required');
  expect((await ask('flash', { prompt: '' })).text).toBe('Error: prompt parameter is required');
  for (const input of [
    {},
    { max_tokens: 12 },
    { max_tokens: 0 },
    { max_tokens: -3 },
    { max_tokens: '77' },
    { model: 'x' },
  ])
    await ask('flash', { prompt: 'p', ...input });
  expect(flash.requests.map(({ maxTokens }) => maxTokens)).toEqual([1_024, 12, 1, 1, 77, 1_024]);
  expect(flash.requests.map(({ model }) => model)).toEqual(Array.from({ length: 6 }, () => 'f'));
  expect(flash.requests[0]).not.toHaveProperty('temperature');
  await ask('long', { prompt: 'p' });
  expect(long.requests[0]).toMatchObject({ maxTokens: 5_000, temperature: 0.3, effort: 'low', model: 'l' });
});

test('an asked model is offered every enabled tool but those that ask, and reaches no other by name', async () => {
  const flash = new Advisor('flash', (_request, index) =>
    index === 0
      ? {
          calls: ['ask_other', 'ask_flash', 'get_time', 'bash'].map((name) => ({
            id: name,
            name,
            input: { prompt: 'x' },
          })),
        }
      : { text: 'done' },
  );
  const other = saying('other', { text: 'never asked' });
  const { ask, registry, ofType } = rig({ flash, other });
  await registry.disable(['bash']);
  expect((await ask('flash')).text).toBe('done');
  const offered = flash.requests[0]?.tools.map(({ name }) => name) ?? [];
  // Nothing is left out, so there is nothing to find.
  const expected = registry.offered().map(({ name }) => name);
  expect(offered).toEqual(expected.filter((name) => !name.startsWith('ask_') && name !== 'find_tools'));
  expect(offered).not.toContain('bash');
  expect(other.requests).toEqual([]);
  const texts = new Map(ofType('tool_call').map(({ id, name }) => [id, name]));
  const results = ofType('tool_result').map(({ id, text }) => `${texts.get(id)}: ${text}`);
  expect(results).toContain('ask_other: Error: Tool not found: ask_other');
  expect(results).toContain('ask_flash: Error: Tool not found: ask_flash');
  expect(results).toContain('bash: Error: Tool is disabled: bash');
});

test('names, descriptions and the order follow config.json; what has not changed keeps its tool', async () => {
  const advisors = Object.fromEntries(
    ['Claude latest', 'flash', 'FLASH', '9b'].map((name) => [name, saying(name, { text: name })]),
  );
  const { registry, settings, askable, ask } = rig(advisors);
  const asking = () => registry.list().flatMap((tool) => (registry.asksModel(tool) ? [tool] : []));
  const [claude, flash, upper, digit] = asking();
  expect([claude?.name, flash?.name, digit?.name]).toEqual(['ask_claude_latest', 'ask_flash', 'ask_9b']);
  // The plain name is taken.
  expect(upper?.name).toMatch(/^ask_FLASH_[0-9a-f]{8}$/);
  expect(flash?.description).toMatch(/flash-1.*provider flash.*second opinion/);
  const providers = {
    flash: { type: 'anthropic', model: 'flash-1' },
    claude: { type: 'anthropic', model: 'c', description: 'Knows poems' },
  };
  Object.assign(settings, { config: configSchema.parse({ providers }) });
  askable.register();
  expect(asking()[0]).toBe(flash);
  expect(asking().map(({ name }) => name)).toEqual(['ask_flash', 'ask_claude']);
  expect(asking()[1]?.description).toContain('Knows poems.');
  expect((await ask('flash')).text).toBe('flash');
  await registry.disable(['ask_flash']);
  expect((await ask('flash')).text).toBe('Error: Tool is disabled: ask_flash');
  Object.assign(settings, {
    config: configSchema.parse({ providers: { flash: { type: 'anthropic', model: 'new' } } }),
  });
  askable.register();
  // Switched off by name, whatever is registered.
  expect((await ask('flash')).text).toBe('Error: Tool is disabled: ask_flash');
});
