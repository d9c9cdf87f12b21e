import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { systemPrompt } from '../../src-main/assistant/system-prompt.ts';
import { type RunningAssistant, startAssistant } from '../fixtures/running-assistant.ts';
import { CALLS, KEY, LAST_WORDS, MODEL, PROMPT, partFiles } from './turn-script.ts';

/** Our loop, the SDK's tool runner sending the whole conversation each round as ours does, or the runner's own way. */
export type LoopSide = 'ours' | 'runner' | 'threads';

export interface LoopSample {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Forked by turn.ts: runs one turn for each message and answers with what it took; ends when the channel is closed. */
const [side, url = ''] = process.argv.slice(2);
const assistant = await startAssistant({
  files: partFiles(),
  config: { model: MODEL, limits: { rounds: CALLS + 10 } },
  env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url },
});
const run = side === 'ours' ? await ourLoop(assistant) : await bareRunner(assistant, side === 'threads');

process.on('message', async () => {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({ wallMs, cpuMs: (user + system) / 1_000 } satisfies LoopSample);
});
process.once('disconnect', () => void assistant.stop());

async function ourLoop({ turn }: RunningAssistant): Promise<() => Promise<void>> {
  return async () => {
    let results = 0;
    const stopReason = await turn({ kind: 'message', text: PROMPT }, (event) => {
      if (event.type === 'tool_result' && !event.isError) results++;
    });
    if (stopReason !== 'end_turn' || results !== CALLS) throw new Error(`${stopReason} after ${results} results`);
  };
}

async function bareRunner(rig: RunningAssistant, isThreaded: boolean): Promise<() => Promise<void>> {
  const request = await requestOf(rig);
  const client = new Anthropic({ apiKey: KEY, baseURL: url });
  return async () => {
    const way = isThreaded ? {} : ({ thread: false } as const);
    const runner = client.beta.messages.toolRunner({ ...request, ...way, stream: true });
    for await (const stream of runner) {
      for await (const event of stream) void event;
    }
    const [block] = (await runner.done()).content;
    if (block?.type !== 'text' || block.text !== LAST_WORDS) throw new Error(`It ended with ${block?.type}`);
  };
}

/** The system prompt and the tools that our own loop sends, with the least that answers the calls behind them. */
async function requestOf({ services, workspace }: RunningAssistant) {
  const { registry } = services;
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
  const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: PROMPT }];
  return {
    model: MODEL,
    max_tokens: 32_000,
    system: systemPrompt({ workspace, folders: [], platform: process.platform, now: new Date(), servers: [] }),
    messages,
    tools,
  };
}
