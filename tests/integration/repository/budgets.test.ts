import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { type EagerWeight, eagerWeights } from '../../../scripts/bundle-sizes.mjs';

const BUDGETS = join(import.meta.dirname, '../../budgets.json');
/** A budget that is much larger than what it bounds lets the next change grow unseen. */
const MAX_SLACK = 1.05;

const budgets: Readonly<Record<string, EagerWeight>> = JSON.parse(readFileSync(BUDGETS, 'utf8'));
const weights = eagerWeights(await builtOutput());

test('every part of the built output has a budget', () => {
  expect(Object.keys(budgets)).toEqual(Object.keys(weights));
});

test.each(Object.entries(weights))('%s loads no more before it starts than its budget allows', (part, weight) => {
  for (const measure of ['bytes', 'modules'] as const) {
    const budget = budgets[part]?.[measure] ?? 0;
    const text = `${part}: ${weight[measure]} ${measure}, ${budget} in tests/budgets.json`;
    expect(weight[measure] <= budget, `${text}: load less, or raise it`).toBe(true);
    expect(budget <= Math.ceil(weight[measure] * MAX_SLACK), `${text}: lower it`).toBe(true);
  }
});
