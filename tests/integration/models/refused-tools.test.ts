import { expect, test } from 'vitest';
import { setUp } from './claude-on-fixture.ts';
import { openAiOn } from './openai-on-fixture.ts';

const tools = ['good', 'bad'].map((name) => ({ name, description: 'Does it.', inputSchema: { type: 'object' } }));
const SERVICES = {
  Anthropic: () => {
    const message = 'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12';
    return setUp({ turns: [{ error: { status: 400, message } }, { text: 'ok' }, { text: 'again' }] });
  },
  OpenAI: () => {
    const message = "Invalid schema for function 'bad': In context=('properties', 'x'), array schema missing items.";
    return openAiOn({ turns: [{ error: { status: 400, message } }, { text: 'ok' }, { text: 'again' }] });
  },
};

/** Gemini's are in `gemini-failures.test.ts`: its fixture refuses by itself. Ollama names no tool. */
test.each(['Anthropic', 'OpenAI'] as const)(
  '%s refuses a tool: it is left out, said before the answer, and known from then on',
  async (service) => {
    const { server, ask } = await SERVICES[service]();
    const { events, text } = await ask({ tools });
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'retry', waitMs: 0, error: { code: 'bad_request' } },
      { type: 'left_out', reason: 'refused', names: ['bad'] },
    ]);
    expect(text).toBe('ok');
    expect((await ask({ tools })).text).toBe('again');
    const offers = server.requests.map(({ body }) => JSON.stringify(body));
    expect(offers.map((each) => [each.includes('"good"'), each.includes('"bad"')])).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
  },
);
