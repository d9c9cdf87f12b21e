import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import type { AskEvent } from '../../../src-main/headless/event-json.ts';
import { toAskEvent } from '../../../src-main/headless/event-json.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { type AskRig, askRig, parseEvents } from '../../fixtures/ask.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { repetitions } from '../../fixtures/repetitions.ts';

const KILLS = repetitions(50, 200);
/** Two at a time, on two conversations of one profile: crashes of one process must not harm the other. */
const LANES = 2;
/** A whole run takes about this long; kills are spread over it. */
const RUN_MS = 900;

/** What was printed before the kill; the last line may be cut off. */
async function killedRun(ask: AskRig, args: readonly string[], afterMs: number): Promise<readonly AskEvent[]> {
  const child = await ask.start(['--json', '--approve', 'all', '--model', 'claude-sonnet-4-5', ...args]);
  child.stdin.end();
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([sleep(afterMs), closed]);
  child.kill('SIGKILL');
  await closed;
  return parseEvents(printed.slice(0, printed.lastIndexOf('\n') + 1));
}

function expectSound(ask: AskRig): void {
  const database = openSqlite(join(ask.profile, 'steward.db'), { readOnly: true });
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    database.close();
  }
}

/**
 * Expects every printed event in the log, in the order in which it was printed. Text is compared as what its deltas add
 * up to.
 */
function expectHolds(log: readonly StoredEvent[], printed: readonly AskEvent[]): void {
  const withoutText = (events: readonly (AskEvent | undefined)[]) =>
    events.flatMap((event) =>
      event === undefined || ['start', 'text', 'done'].includes(event.type) ? [] : [JSON.stringify(event)],
    );
  const kept = withoutText(log.map(toAskEvent));
  const shown = withoutText(printed);
  let from = 0;
  for (const event of shown) {
    const at = kept.indexOf(event, from);
    expect(at, `printed and lost: ${event}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
  const textOf = (events: readonly AskEvent[]) =>
    events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  const keptText = log
    .map((event) =>
      event.type === 'text_delta'
        ? event.text
        : event.type === 'block' && event.block.type === 'text'
          ? event.block.text
          : '',
    )
    .join('');
  expect(keptText).toContain(textOf(printed));
}

test(`${KILLS} kills at random points: nothing that was printed is lost, and the conversation can continue`, {
  timeout: 420_000,
}, async () => {
  const api = await startMessagesApi({
    answer: ({ body }, index) => {
      const { messages } = body as { messages: { content: { type: string }[] }[] };
      const answering = messages.at(-1)?.content.some((block) => block.type === 'tool_result') === true;
      if (answering)
        return { text: `Both are done, as you can see (${index}).`, deltaCharacters: 3, delayBetweenEventsMs: 4 };
      return {
        text: `I will look at both files (${index}).`,
        deltaCharacters: 3,
        delayBetweenEventsMs: 4,
        blocks: [
          { type: 'tool_use', name: 'read_file', input: { file_path: 'a.txt' } },
          { type: 'tool_use', name: 'append_file', input: { path: 'a.txt', content: 'x' } },
          { type: 'tool_use', name: 'bash', input: { command: 'sleep 0.05; echo done' } },
        ],
      };
    },
  });
  const ask = askRig({ api: api.url, files: { 'a.txt': 'A' } });
  const storage = await openStorage({ directory: ask.profile });
  try {
    // Fixed spread instead of chance: every part of a run is hit, and a failure can be repeated.
    const moments = Array.from({ length: KILLS }, (_, index) => ((index * 0.618_034) % 1) * RUN_MS);
    const lane = async (offset: number): Promise<void> => {
      let conversation: string | undefined;
      for (let index = offset; index < KILLS; index += LANES) {
        const target = conversation === undefined ? [] : ['--conversation', conversation];
        const printed = await killedRun(ask, [...target, `message ${index}`], moments[index] ?? 0);
        expectSound(ask);
        const start = printed[0];
        if (start?.type !== 'start') continue;
        expectHolds(storage.events.read(start.conversationId), printed);
        // A service that refuses unpaired calls is asked again and again with what the kills left.
        expect(printed.find((event) => event.type === 'error')).toBeUndefined();
        conversation = index % 40 < 36 ? start.conversationId : undefined;
      }
      if (conversation === undefined) return;
      const last = await ask.events([
        '--approve',
        'all',
        '--model',
        'claude-sonnet-4-5',
        '--conversation',
        conversation,
        'and now?',
      ]);
      expect(last.code).toBe(0);
      expectHolds(storage.events.read(conversation), last.events);
    };
    await Promise.all(Array.from({ length: LANES }, (_, offset) => lane(offset)));
  } finally {
    await storage.close();
    await api.close();
  }
});
