import type { ContextWindow } from '../../../src-preload/contract/usage.ts';
import { tokensText } from '../../ui/amounts.ts';

/** The meter warns once this share of the room before a summary is used. */
const WARN_FROM = 0.9;

/** Shares of the model's window: how much is taken, and from where on older messages are summarised. */
export function fillOf(
  tokens: number,
  { tokens: size, compactAbove }: ContextWindow,
): { readonly share: number; readonly compactAt: number; readonly isNearlyFull: boolean } {
  return { share: tokens / size, compactAt: compactAbove / size, isNearlyFull: tokens >= compactAbove * WARN_FROM };
}

/** What the meter says, and what happens when it is full. */
export function meterText(tokens: number, { model, tokens: size, compactAbove }: ContextWindow): string {
  const taken = `About ${tokensText(tokens)} of ${tokensText(size)} tokens of ${model}’s context window.`;
  const next =
    tokens > compactAbove
      ? 'Older messages will be summarised before the next answer.'
      : `From ${tokensText(compactAbove)} on, older messages are summarised. You still see all of them.`;
  return `${taken}\n${next}\n/compact summarises them now.`;
}
