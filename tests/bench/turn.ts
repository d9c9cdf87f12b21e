import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { systemPrompt } from '../../src-main/assistant/system-prompt.ts';
import type { TurnServices } from '../../src-main/assistant/turn.ts';
import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { bareEnvironment, type RunningAssistant, startAssistant } from './assistant.ts';
import type { Bench } from './bench.ts';
import { startServer } from './child-processes.ts';
import { seededRandom } from './random.ts';
import { comparison } from './report.ts';
import { interleaved } from './sampling.ts';

const CALLS = 50;
const FILE_CHARACTERS = 4_000;
const MODEL = 'claude-sonnet-5-5';
const KEY = 'sk-ant-api03-fixture';
const PROMPT = 'Read all parts and tell me what they say.';
const LAST_WORDS = 'All parts were read. They say what they say.';

/**
 * One turn of 50 rounds with one tool call each, then a final text. Both loops run in this process, on the same SDK, against
 * the same server in another process, and are warm: as processes, start-up (measured on its own) and compilation would
 * be most of what is measured. Both send the same system prompt and tools. The runner's own way, a thread kept by the
 * server, sends less; it is shown too.
 */
export const turn: Bench = {
  name: 'turn',
  run: async ({ isQuick, temporaryFolder }) => {
    const script = join(temporaryFolder, 'turn-script.json');
    await writeFile(script, JSON.stringify({ turns: scriptedTurns(), afterLast: 'restart' }));
    const program = join(import.meta.dirname, '../fixtures/messages-api/main.ts');
    const server = await startServer({
      program: process.execPath,
      args: [program, script],
      cwd: temporaryFolder,
      env: bareEnvironment(temporaryFolder),
    });
    const assistant = await startAssistant({
      files: partFiles(),
      config: { limits: { rounds: CALLS + 10 } },
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
    });
    try {
      const loop = await ourLoop(assistant);
      const runner = await bareRunner(assistant, server.url);
      const samples = await interleaved(
        { ours: loop, bare: () => runner({ thread: false }), threaded: () => runner({}) },
        { warmUps: isQuick ? 1 : 4, rounds: isQuick ? 3 : 15 },
      );
      const of = (side: keyof typeof samples, of: 'wallMs' | 'cpuMs') => samples[side].map((sample) => sample[of]);
      return [
        comparison(
          { what: `${CALLS} calls in one turn, every event on disk`, unit: 'ms', ours: of('ours', 'wallMs') },
          { name: 'SDK tool runner', theirs: of('bare', 'wallMs') },
          { ratioAtMost: 1.15 },
        ),
        comparison(
          { what: 'the same, runner with server-side threads', unit: 'ms', ours: of('ours', 'wallMs') },
          { name: 'SDK tool runner', theirs: of('threaded', 'wallMs') },
        ),
        comparison(
          { what: 'CPU time of our process', unit: 'ms', ours: of('ours', 'cpuMs') },
          { name: 'SDK tool runner', theirs: of('bare', 'cpuMs') },
        ),
      ];
    } finally {
      await assistant.stop();
      await server.stop();
      await rm(script);
    }
  },
};

/** Nine calls of ten read a file, one asks for the date; some words before each, as models write them. */
function scriptedTurns(): ScriptedTurn[] {
  const rounds = Array.from({ length: CALLS }, (_, index): ScriptedTurn => {
    const call =
      index % 10 === 9
        ? { name: 'get_date', input: {} }
        : { name: 'read_file', input: { file_path: `part-${index % 10}.txt` } };
    return {
      text: `Now part ${index + 1}. I will read it in full before I say anything about it, because the earlier parts refer to it.`,
      blocks: [{ type: 'tool_use', ...call }],
    };
  });
  return [...rounds, { text: LAST_WORDS }];
}

function partFiles(): Record<string, string> {
  const random = seededRandom(1);
  const letter = () => String.fromCharCode(97 + Math.floor(random() * 26));
  const line = () => `${Array.from({ length: 79 }, () => (random() < 0.17 ? ' ' : letter())).join('')}\n`;
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, part) => [
      `part-${part}.txt`,
      Array.from({ length: FILE_CHARACTERS / 80 }, line).join(''),
    ]),
  );
}

async function ourLoop({ services, signal, newConversation }: RunningAssistant) {
  const model = await services.chooseModel(MODEL);
  return () =>
    measured(async () => {
      let results = 0;
      const stopReason = await services.assistant.send(
        [{ type: 'text', text: PROMPT }],
        await services.turnServices(model),
        {
          conversationId: newConversation(),
          signal,
          listener: (event) => {
            if (event.type === 'tool_result' && !event.isError) results++;
          },
        },
      );
      if (stopReason !== 'end_turn' || results !== CALLS) throw new Error(`${stopReason} after ${results} results`);
    });
}

async function bareRunner({ services, workspace }: RunningAssistant, baseURL: string) {
  const request = await requestOf(await services.turnServices(await services.chooseModel(MODEL)), workspace);
  return (way: { readonly thread?: false }) =>
    measured(async () => {
      const client = new Anthropic({ apiKey: KEY, baseURL });
      const runner = client.beta.messages.toolRunner({ ...request, ...way, stream: true });
      for await (const stream of runner) {
        for await (const event of stream) void event;
      }
      const { content } = await runner.done();
      const [block] = content;
      if (block?.type !== 'text' || block.text !== LAST_WORDS) throw new Error(`It ended with ${block?.type}`);
    });
}

/** What our own loop sends, with the least that answers the calls behind it. */
async function requestOf({ registry, promptFacts }: TurnServices, workspace: string) {
  const run: Readonly<Record<string, BetaRunnableTool['run']>> = {
    read_file: ({ file_path }) => readFile(join(workspace, file_path), 'utf8'),
    get_date: () => new Date().toISOString().slice(0, 10),
  };
  const tools = registry.offered().map(
    ({ name, description, inputSchema }): BetaRunnableTool => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
      parse: (input) => input,
      run: run[name] ?? (() => 'Not in this bench'),
    }),
  );
  return {
    model: MODEL,
    max_tokens: 32_000,
    system: systemPrompt(promptFacts()),
    messages: [{ role: 'user', content: PROMPT }] as Anthropic.Beta.BetaMessageParam[],
    tools,
  };
}

async function measured(work: () => Promise<void>): Promise<{ wallMs: number; cpuMs: number }> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}
