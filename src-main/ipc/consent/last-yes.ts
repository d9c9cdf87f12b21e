import type { CardPart, ConsentCard } from '../../../src-preload/contract/consent.ts';
import { isGrave } from '../../../src-preload/contract/consequence.ts';
import { wordDiff } from '../../policy/mcp/word-diff.ts';
import type { ConsentQuestion } from '../../policy/question/consent-question.ts';

type CommandPart = Extract<CardPart, { kind: 'command' }>;

/** More kinds than are asked about in a day; a card may be large. */
const MAX_KINDS = 50;
/** The risk is what makes them of one kind; the others say nothing about what would be done. */
const NOT_COMPARED: ReadonlySet<CardPart['kind']> = new Set([
  ...(['consequences', 'read', 'said', 'caution', 'withheld'] as const),
]);

/**
 * The grave questions that were allowed last, one of each kind, so that the next one shows what is different this time.
 */
export class LastYes {
  readonly #cards = new Map<string, ConsentCard>();

  allowed(question: ConsentQuestion, card: ConsentCard): void {
    if (question.risk !== 'grave') return;
    const kind = kindOf(question);
    this.#cards.delete(kind);
    this.#cards.set(kind, card);
    const [oldest] = this.#cards.keys();
    if (this.#cards.size > MAX_KINDS && oldest !== undefined) this.#cards.delete(oldest);
  }

  /** The card with everything marked that the last one of its kind did not show like this. */
  async marked(question: ConsentQuestion, card: ConsentCard): Promise<ConsentCard> {
    const last = question.risk === 'grave' ? this.#cards.get(kindOf(question)) : undefined;
    if (last === undefined) return card;
    const parts = await Promise.all(card.parts.map((part) => markedPart(part, counterpart(part, card, last))));
    return { ...card, parts, comparesWithLast: true };
  }
}

/** The kind of a question. It is the same for one tool with the same risks. */
function kindOf({ kind, tool, parts }: ConsentQuestion): string {
  const codes = parts.flatMap((part) =>
    part.kind === 'consequences' ? part.consequences.filter(isGrave).map(({ code }) => code) : [],
  );
  return JSON.stringify([kind, tool, codes]);
}

/** The one with the same title, at the same place among those with it. */
function counterpart(part: CardPart, card: ConsentCard, last: ConsentCard): CardPart | undefined {
  const isAlike = (other: CardPart) => other.kind === part.kind && other.title === part.title;
  return last.parts.filter(isAlike)[card.parts.filter(isAlike).indexOf(part)];
}

async function markedPart(part: CardPart, before: CardPart | undefined): Promise<CardPart> {
  if (NOT_COMPARED.has(part.kind)) return part;
  if (part.kind === 'command' && before?.kind === 'command') return markedCommand(part, before);
  return before !== undefined && shownBy(part) === shownBy(before) ? part : { ...part, isNew: true };
}

function shownBy(part: CardPart): string {
  return JSON.stringify({ ...part, isNew: undefined });
}

/** Another folder makes another command of it. */
async function markedCommand(part: CommandPart, before: CommandPart): Promise<CommandPart> {
  const moved = part.directory === before.directory ? {} : { isNew: true as const };
  if (part.line === before.line) return { ...part, ...moved };
  const pieces = (await wordDiff(before.line, part.line)).filter(({ kind }) => kind !== 'removed');
  const fresh: [number, number][] = [];
  let at = 0;
  for (const { kind, text } of pieces) {
    if (kind === 'added') fresh.push([at, at + text.length]);
    at += text.length;
  }
  return { ...part, ...moved, steps: stepsCutAt(part.steps, fresh) };
}

function stepsCutAt(steps: CommandPart['steps'], fresh: readonly (readonly [number, number])[]): CommandPart['steps'] {
  let start = 0;
  return steps.flatMap((step) => {
    const from = start;
    start += step.text.length;
    const inside = fresh.flat().filter((edge) => edge > from && edge < start);
    const edges = [from, ...inside, start];
    return edges.slice(1).map((edge, index) => {
      const begin = edges[index] ?? from;
      const isNew = fresh.some(([first, end]) => begin >= first && edge <= end);
      return { text: step.text.slice(begin - from, edge - from), isGrave: step.isGrave, ...(isNew ? { isNew } : {}) };
    });
  });
}
