import type { ConversationEvent } from './events.ts';

/** `undefined`: the text is not an event (a damaged page can hold anything). */
export function parseEvent(body: string): ConversationEvent | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isEvent =
      typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
    return isEvent ? (value as ConversationEvent) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
