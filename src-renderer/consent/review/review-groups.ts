import type { CardDefinition, CardPart } from '../../../src-preload/contract/consent.ts';

/** A definition of a card, by its place among the card's definitions. */
export interface ReviewItem {
  readonly key: number;
  readonly definition: CardDefinition;
}

type GroupKind = 'instructions' | 'flagged' | 'changed' | 'read' | 'write' | 'send' | 'unsaid' | 'known';

/** Definitions that are accepted in the same way. */
export interface ReviewGroup {
  readonly kind: GroupKind;
  readonly items: readonly ReviewItem[];
  /** Only the names of the group are shown at first. */
  readonly startsFolded: boolean;
}

/** What has to be looked at comes first. */
const ORDER: readonly GroupKind[] = ['instructions', 'flagged', 'changed', 'read', 'write', 'send', 'unsaid', 'known'];
/** More tools than two screens hold are accepted by class. */
const MAX_OPEN = 25;

export function reviewItems(parts: readonly CardPart[]): readonly ReviewItem[] {
  const definitions = parts.filter((part) => part.kind === 'definition');
  return definitions.map((definition, key) => ({ key, definition }));
}

export function reviewGroups(items: readonly ReviewItem[]): readonly ReviewGroup[] {
  const calm = items.filter(({ definition }) => !needsLook(definition));
  return ORDER.flatMap((kind) => {
    const own = items.filter(({ definition }) => kindOf(definition) === kind);
    const startsFolded = calm.length > MAX_OPEN && own.every(({ definition }) => !needsLook(definition));
    return own.length === 0 ? [] : [{ kind, items: own, startsFolded }];
  });
}

/** Whether a definition is not accepted by its class alone. */
export function needsLook({ of, isChanged, findings }: CardDefinition): boolean {
  return of === 'instructions' || isChanged || findings.length > 0;
}

/** What the row shows is not all there is to look at. */
export function needsOpening({ isChanged, findings }: CardDefinition): boolean {
  return findings.length > 0 && !isChanged;
}

function kindOf(definition: CardDefinition): GroupKind {
  const { of, isChanged, findings, choice } = definition;
  if (of === 'instructions') return 'instructions';
  if (findings.length > 0) return 'flagged';
  if (isChanged) return 'changed';
  if (choice === undefined) return 'known';
  return choice.given ?? choice.claim ?? 'unsaid';
}
