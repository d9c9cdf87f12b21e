import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planCompaction, type Summariser, summarise } from '../../../src-main/assistant/compaction.ts';
import { foldHistory, INTERRUPTED_RESULT, NEVER_RUN_RESULT } from '../../../src-main/assistant/history.ts';
import {
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelStreamEvent,
} from '../../../src-main/models/provider.ts';
import type { ConversationEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import { stored, textBlock, toolCall, toolResult, toolUse, userMessage } from '../../fixtures/events.ts';
import { anyModel } from '../../fixtures/scripted-model.ts';

/** Room for 3,000 tokens of input: about 10,500 characters, of which some 3,150 stay word for word. */
const LIMITS = { contextTokens: 4_000, maxOutputTokens: 1_000 };
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };

type TurnEvent = ConversationEvent & { turnId?: string };

/** A round that thinks, calls a tool and gets its result. */
function round(id: string, resultCharacters: number): TurnEvent[] {
  return [
    { type: 'round_start', model: 'm' },
    { type: 'block', block: { type: 'thinking', thinking: `about ${id}`, signature: `signed ${id}` } },
    toolUse(id),
    { type: 'round_end', stopReason: 'tool_use' },
    toolCall(id),
    toolResult(id, `${id} ${'x'.repeat(resultCharacters)}`),
  ];
}

function compacted(events: readonly StoredEvent[], throughSeq: number): StoredEvent[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  return [...events, { ...last, seq: last.seq + 1, type: 'compaction', summary: 'SUMMARY', throughSeq, marks: [] }];
}

describe('content of the summary', () => {
  test('old rounds go, the newest calls and results stay word for word, and thinking bound to what went goes too', () => {
    const events = stored([userMessage('do much'), ...['a', 'b', 'c', 'd'].flatMap((id) => round(id, 1_000))]);
    const plan = planCompaction(events, LIMITS);
    const kept = JSON.stringify(foldHistory(compacted(events, plan?.throughSeq ?? 0)).messages);
    expect(kept).toContain('SUMMARY');
    expect(kept).not.toContain('b xxx');
    expect(kept).toContain('c xxx');
    expect(kept).toContain('d xxx');
    expect(kept).not.toContain('signed');
    expect(JSON.stringify(plan?.summarised)).not.toContain('c xxx');
  });

  test('wherever it is cut, every call is answered by its own result', () => {
    const turns = fc.array(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(turns, (sizes) => {
        let serial = 0;
        const events = stored(
          sizes.flatMap((rounds, turn): TurnEvent[] => [
            userMessage(`message ${turn}`),
            ...rounds.flatMap((size) => round(`call-${serial++}`, size)),
            { type: 'round_start', model: 'm' },
            textBlock(`answer ${turn}`),
            { type: 'round_end', stopReason: 'end_turn' },
            { type: 'turn_end', stopReason: 'end_turn' },
          ]),
        );
        const plan = planCompaction(events, LIMITS);
        if (plan === undefined) return;
        const { messages } = foldHistory(compacted(events, plan.throughSeq));
        expect(messages[0]?.role).toBe('user');
        for (const [index, { content }] of messages.entries()) {
          const answered = content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
          const asked = messages[index - 1]?.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
          expect(answered).toEqual(asked ?? []);
        }
        for (const { content } of messages)
          for (const block of content)
            if (block.type === 'tool_result')
              expect([INTERRUPTED_RESULT, NEVER_RUN_RESULT]).not.toContain(block.content);
      }),
    );
  });

  test('the only round of the first message cannot be cut', () => {
    expect(planCompaction(stored([userMessage('x'.repeat(50_000))]), LIMITS)).toBeUndefined();
    expect(planCompaction(stored([userMessage('go'), ...round('a', 50_000)]), LIMITS)).toBeUndefined();
  });

  test('history that still overflows is summarised again, including the first summary', () => {
    const long = stored([userMessage('go'), ...['a', 'b', 'c', 'd', 'e'].flatMap((id) => round(id, 2_000))]);
    const first = planCompaction(long.slice(0, 20), LIMITS);
    if (first === undefined) throw new Error('There is something to cut');
    const [compaction] = compacted(long.slice(0, 20), first.throughSeq).slice(-1);
    const later = long.slice(20).map((event) => ({ ...event, seq: event.seq + 1 }));
    const second = planCompaction([...long.slice(0, 20), ...(compaction ? [compaction] : []), ...later], LIMITS);
    expect(second?.throughSeq).toBeGreaterThan(first.throughSeq);
    expect(JSON.stringify(foldHistory(second?.summarised ?? []).messages)).toContain('SUMMARY');
  });

  test('a summary that a retry took back can be made again', () => {
    const long = stored([
      ...['a', 'b', 'c'].flatMap((id): TurnEvent[] => [userMessage(`do ${id}`), ...round(id, 5_000)]),
      userMessage('and now?'),
    ]);
    const plan = planCompaction(long, LIMITS);
    const message = long.at(-1);
    if (plan === undefined || message === undefined) throw new Error('There is something to cut');
    const failed = compacted(long, plan.throughSeq);
    const retried: StoredEvent[] = [
      ...failed,
      { ...message, seq: message.seq + 2, type: 'retry', afterSeq: message.seq },
    ];
    expect(planCompaction(failed, LIMITS)).toBeUndefined();
    expect(planCompaction(retried, LIMITS)?.throughSeq).toBe(plan.throughSeq);
  });
});

describe('the summary', () => {
  /** A model that answers each request as the test says. */
  function summariser(answer: (request: ModelRequest) => readonly ModelStreamEvent[]): Summariser & {
    readonly requests: ModelRequest[];
    readonly retries: string[];
  } {
    const requests: ModelRequest[] = [];
    const retries: string[] = [];
    const provider: ModelProvider = {
      ...anyModel,
      limits: () => LIMITS,
      async *stream(request) {
        requests.push(request);
        yield* answer(request);
      },
    };
    const { signal } = new AbortController();
    return { provider, model: 'm', signal, onRetry: ({ error }) => retries.push(error.message), requests, retries };
  }

  const plan = {
    throughSeq: 7,
    summarised: stored([userMessage('begin here'), textBlock('字'.repeat(20_000)), userMessage('end here')]),
  };
  const said = (text: string, stopReason: 'end_turn' | 'refusal' = 'end_turn'): ModelStreamEvent[] => [
    { type: 'block', block: { type: 'text', text } },
    { type: 'end', stopReason, usage: USAGE },
  ];
  const lengthOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages).length;

  test('is asked for with a shorter transcript where the model says that it is too long', async () => {
    const model = summariser((request) => {
      if (lengthOf(request) > 3_000) throw new ModelError('context_too_long', 'prompt is too long');
      return said('They talked.');
    });
    expect(await summarise(plan, model)).toEqual({ text: 'They talked.', usage: USAGE });
    expect(model.requests.length).toBeGreaterThan(1);
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    expect(last).toContain('begin here');
    expect(last).toContain('end here');
  });

  test('a summary that stays too long, and every other failure, is reported', async () => {
    const never = summariser(() => {
      throw new ModelError('context_too_long', 'prompt is too long');
    });
    await expect(summarise(plan, never)).rejects.toThrow('prompt is too long');
    const limited = summariser(() => {
      throw new ModelError('rate_limited', 'wait');
    });
    await expect(summarise(plan, limited)).rejects.toThrow('wait');
    expect(limited.requests).toHaveLength(1);
  });

  test.each([
    ['gives nothing', said('')],
    ['declines', said('I cannot', 'refusal')],
  ])(
    'of a model that %s is the shortened transcript: nothing of the conversation is lost for it',
    async (_, answer) => {
      const { text } = await summarise(
        plan,
        summariser(() => answer),
      );
      expect(text).toContain('begin here');
      expect(text).toContain('end here');
    },
  );

  test('is waited for visibly where the service asks to wait', async () => {
    const model = summariser(() => [
      { type: 'retry', attempt: 1, most: 4, waitMs: 0, error: new ModelError('overloaded', 'busy') },
      ...said('They talked.'),
    ]);
    await summarise(plan, model);
    expect(model.retries).toEqual(['busy']);
  });
});
