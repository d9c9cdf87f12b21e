import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../../../../src-preload/contract/events.ts';
import { alike, CUT_OFF, type HeldConversation, holdConversation, PICTURE, SCRIPT } from './conversation.ts';
import type { StartService } from './service.ts';
import { SERVICES } from './services.ts';

const ENTRIES = Object.entries(SERVICES);
const STARTS: readonly StartService[] = ENTRIES.map(([, start]) => start);

/** The turns of services that were to refuse, and can't. */
const unrefused = ({ services }: HeldConversation) =>
  SCRIPT.flatMap(({ answers: [first] }, index) =>
    first?.stopReason === 'refusal' && services[index % services.length]?.neverRefuses ? [`turn-${index}`] : [],
  );
const eventsOf = ({ events }: HeldConversation, without: readonly string[]) =>
  events.flatMap((event) => (without.includes(event.turnId) ? [] : (alike(event) ?? [])));
const ends = ({ events }: HeldConversation) =>
  events.flatMap((event) => (event.type === 'turn_end' ? [event.stopReason] : []));
const ENDS = ['end_turn', 'interrupted', 'refusal', 'end_turn', 'max_tokens', 'end_turn'];

describe('the same conversation', () => {
  let claude: Promise<HeldConversation> | undefined;
  const withClaude = () => {
    claude ??= holdConversation([SERVICES.anthropic as StartService]);
    return claude;
  };
  /** What was held, and what it should be. */
  const compared = async (held: HeldConversation) => {
    const without = unrefused(held);
    return [eventsOf(held, without), eventsOf(await withClaude(), without)] as const;
  };

  test('with Claude, as scripted', async () => {
    const held = await withClaude();
    expect(ends(held)).toEqual(ENDS);
    const results = held.events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
    expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['call_one', 'completed'],
      ['call_two', 'completed'],
      ['call_three', 'completed'],
      ['call_four', 'failed'],
      ['call_five', 'failed'],
    ]);
    expect(results[0]?.parts).toEqual([PICTURE]);
    expect(held.events.filter(({ type }) => type === 'error')).toEqual([]);
    const cut = held.events.flatMap((event) =>
      event.type === 'block' && event.block.type === 'text' && CUT_OFF.startsWith(event.block.text) ? [event] : [],
    );
    expect(cut).toHaveLength(1);
  });

  test.each(ENTRIES)('gives the same events with %s', async (_, start) => {
    const held = await holdConversation([start]);
    const [events, expected] = await compared(held);
    expect(events).toEqual(expected);
    // Thoughts go back to the model that had them.
    expect(sentSignatures(held)).not.toEqual([]);
  });

  test.each(ENTRIES.map(([name], index) => [name, index] as const))(
    'goes on with another provider after each turn, %s first',
    async (_, index) => {
      const starts = [...STARTS.slice(index), ...STARTS.slice(0, index)];
      const held = await holdConversation(starts);
      const [events, expected] = await compared(held);
      expect(events).toEqual(expected);
      expect(foreignSignatures(held)).toEqual([]);
      expect(sentSignatures(held)).not.toEqual([]);
    },
  );

  test('two providers by turns: each is given back its own thoughts, and only these', async () => {
    for (const [, first] of ENTRIES)
      for (const [, second] of ENTRIES) {
        if (first === second) continue;
        const held = await holdConversation([first, second]);
        const [events, expected] = await compared(held);
        expect(events).toEqual(expected);
        expect(foreignSignatures(held)).toEqual([]);
      }
  });
});

/** Provider → signatures that its model made. */
function signaturesByMaker(events: readonly StoredEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const made = new Map<string, Set<string>>();
  let maker = '';
  for (const event of events) {
    if (event.type === 'round_start') maker = event.provider ?? '';
    if (event.type !== 'block' || event.block.type === 'redacted_thinking') continue;
    for (const secret of secretsOf(event.block.signature)) made.set(maker, (made.get(maker) ?? new Set()).add(secret));
  }
  return made;
}

/** The parts of a signature (if it is a whole item) that only its maker can read. */
function secretsOf(signature: string | undefined): string[] {
  if (!signature || signature.length < 30) return [];
  const encrypted = /"encrypted_content":"([^"]+)"/.exec(signature)?.[1];
  return [encrypted ?? signature];
}

function foreignSignatures({ events, services }: HeldConversation): string[] {
  const made = signaturesByMaker(events);
  return services.flatMap(({ name, bodies }) => {
    const sent = JSON.stringify(bodies());
    const foreign = [...made].flatMap(([maker, signatures]) => (maker === name ? [] : [...signatures]));
    return foreign.filter((signature) => sent.includes(signature));
  });
}

/** How unsigned thoughts go back: to compatible services, and to Ollama. */
const THOUGHTS = ['"reasoning_content":"', '"content":"I look.","thinking":"Two calls at once."'];

/** Signatures that went back to their makers, and thoughts where those are what goes back. */
function sentSignatures({ events, services }: HeldConversation): string[] {
  const made = signaturesByMaker(events);
  return services.flatMap(({ name, bodies }) => {
    const sent = JSON.stringify(bodies());
    return [...(made.get(name) ?? []), ...THOUGHTS].filter((signature) => sent.includes(signature));
  });
}

test('the script has an exchange for each end', () => {
  expect(SCRIPT).toHaveLength(ENDS.length);
});
