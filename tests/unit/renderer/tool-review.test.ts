import { expect, test } from 'vitest';
import type { CardDefinition, CardPart } from '../../../src-preload/contract/consent.ts';
import { ToolReview } from '../../../src-renderer/consent/review/tool-review.svelte.ts';

const tool = (part: number, more: Partial<CardDefinition> = {}): CardPart => ({
  kind: 'definition',
  title: 'New tool',
  of: 'tool',
  name: `tool_${part}`,
  isChanged: false,
  text: 'Reads.',
  summary: 'Reads.',
  parameters: [],
  pieces: [],
  findings: [],
  choice: { part, given: null, claim: 'read', preset: 'read' },
  ...more,
});
const findings = [{ text: 'Contains an address', excerpt: 'evil.dev' }];

function reviewOf(...parts: readonly CardPart[]): ToolReview {
  const review = ToolReview.of(parts);
  if (review === null) throw new Error('There is nothing to review.');
  return review;
}

const itemsOf = (review: ToolReview) => review.groups.flatMap(({ items }) => items);
const lookAtAll = (review: ToolReview) =>
  review.inView(
    itemsOf(review).map(({ key }) => ({ key, top: key * 10, height: 10 })),
    0,
    10_000,
  );

test('a card without definitions has no review', () => {
  expect(ToolReview.of([{ kind: 'note', title: 't', text: 'x' }])).toBeNull();
});

test('each row counts once all of it was in view, whatever happens to the others', () => {
  const review = reviewOf(tool(0), tool(1));
  review.inView([{ key: 0, top: -40, height: 100 }], 0, 60);
  expect(review.missing).toMatchObject({ count: 2, isUnopened: false });
  review.inView([{ key: 1, top: 60, height: 40 }], 0, 200);
  review.inView([{ key: 0, top: 0, height: 100 }], 0, 45);
  expect(review.missing).toBeNull();
});

test('a row with a finding counts only while it is open, and closing it early starts over', () => {
  const review = reviewOf(tool(0, { findings }), tool(1));
  lookAtAll(review);
  expect(review.missing).toMatchObject({ count: 1, isUnopened: true, item: { key: 0 } });
  review.toggle(0);
  review.inView([{ key: 0, top: 0, height: 500 }], 0, 200);
  review.toggle(0);
  lookAtAll(review);
  expect(review.missing).toMatchObject({ isUnopened: true });
  review.toggle(0);
  review.inView([{ key: 0, top: 0, height: 500 }], 0, 500);
  review.toggle(0);
  expect(review.missing).toBeNull();
  // Having had to open it was no choice of its class.
  expect(review.given).toEqual([]);
});

test('more tools than two screens hold are accepted by class, but not what has to be looked at', () => {
  const many = Array.from({ length: 40 }, (_, part) => tool(part));
  const review = reviewOf(...many, tool(40, { findings }), tool(41, { isChanged: true }));
  expect(review.groups.map(({ kind, startsFolded }) => [kind, startsFolded])).toEqual([
    ['flagged', false],
    ['changed', false],
    ['read', true],
  ]);
  expect(review.missing?.count).toBe(2);
});

test('a claim is given by opening the tool or pressing the class, and taken back by pressing it again', () => {
  const review = reviewOf(
    tool(0),
    tool(1),
    tool(2, { choice: { part: 2, given: 'read', claim: 'write', preset: 'read' } }),
  );
  const [opened, pressed, before] = itemsOf(review).sort((a, b) => a.key - b.key);
  if (!opened || !pressed || !before) throw new Error('There are three.');
  expect(review.classOf(opened)).toEqual({ class: 'read', isGiven: false });
  review.toggle(opened.key);
  review.choose(pressed, 'read');
  expect(review.given).toEqual([
    { part: 0, class: 'read' },
    { part: 1, class: 'read' },
  ]);
  for (const item of [opened, pressed, before]) review.choose(item, 'read');
  expect(review.classOf(before)).toEqual({ class: 'write', isGiven: false });
  expect(review.given).toEqual([{ part: 2, class: null }]);
});

test('a tool whose name sounds like a change has no preset to give', () => {
  const review = reviewOf(tool(0, { choice: { part: 0, given: null, claim: 'read', preset: null } }));
  review.toggle(0);
  lookAtAll(review);
  expect(review.given).toEqual([]);
});
