import { afterEach, expect, test } from 'vitest';
import { askRig } from '../../fixtures/ask.ts';
import { startGemini } from '../../fixtures/gemini/server.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startOllama } from '../../fixtures/ollama/server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});
function closed<T extends { close(): Promise<void> }>(server: T): T {
  closing.push(server.close);
  return server;
}

test('a conversation goes from Gemini to Claude to a model of Ollama and back, with its calls, and nobody’s signature goes to another', async () => {
  const call = { functionCall: { name: 'read_file', args: { path: 'a.txt' } } };
  const gemini = closed(
    await startGemini({
      validKeys: ['AIzaOfTheEnvironment'],
      turns: [
        { parts: [{ text: 'Reading.' }, call] },
        { parts: [{ text: 'It says alpha.', thoughtSignature: 'Z2VtaW5p' }] },
        { text: 'Back.' },
      ],
    }),
  );
  const claude = closed(
    await startMessagesApi({
      turns: [
        {
          blocks: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'tool_use', name: 'read_file', input: { path: 'b.txt' } },
          ],
        },
        { text: 'It says beta.' },
      ],
    }),
  );
  const ollama = closed(
    await startOllama({
      turns: [{ thinking: 'So.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }, { text: 'Both.' }],
    }),
  );
  const rig = askRig({
    files: { 'a.txt': 'alpha', 'b.txt': 'beta' },
    api: claude.url,
    config: {
      endpoints: { gemini: gemini.url },
      providers: {
        gemini: { type: 'gemini', model: 'gemini-3.8-flash' },
        local: { type: 'ollama', model: 'qwen3:8b', baseUrl: ollama.url, contextTokens: 40_000 },
      },
    },
  });
  const env = { GEMINI_API_KEY: 'AIzaOfTheEnvironment', GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'another' };
  const ask = async (model: string, text: string, more: readonly string[] = ['--conversation', 'last']) => {
    const { code, events, stderr } = await rig.events(['--approve', 'all', '--model', model, ...more, text], { env });
    expect([code, events.at(-1)], stderr).toEqual([0, { type: 'done', stopReason: 'end_turn' }]);
    return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  };

  expect(await ask('gemini:', 'What is in a.txt?', [])).toContain('It says alpha.');
  expect(await ask('claude-sonnet-5-5', 'And in b.txt?')).toContain('It says beta.');
  expect(await ask('local:', 'Look again.')).toContain('Both.');
  expect(await ask('gemini:', 'And?')).toContain('Back.');

  const [, , toGemini] = gemini.requests.map(({ body }) => JSON.stringify(body));
  const toClaude = JSON.stringify(claude.requests.map(({ body }) => body));
  const toOllama = JSON.stringify(ollama.requests.map(({ body }) => body));
  for (const said of ['alpha', 'beta', 'Both.', 'read_file']) expect(toGemini).toContain(said);
  expect(toGemini).toContain('Z2VtaW5p');
  expect(`${toClaude}${toOllama}`).not.toMatch(/Z2VtaW5p|thoughtSignature/);
  expect(toOllama).not.toContain('Hm.');
  expect(toGemini).not.toContain('So.');
  expect(ollama.requests[0]?.body).toMatchObject({ options: { num_ctx: 40_000 } });
});
