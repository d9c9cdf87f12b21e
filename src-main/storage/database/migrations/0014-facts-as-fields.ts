import type { Migration } from './migration.ts';

/**
 * Events of versions before November 2026 state in English how a call ended, who made it, what was attached and why
 * something was allowed. From this step on each of these is a field in every event; see
 * docs/decisions/014-facts-as-fields.md.
 */
export const factsAsFields: Migration = {
  name: 'facts of events as fields',
  up: () => undefined,
  loadEventConverter: async () => {
    const { EventFacts } = await import('./facts-as-fields/event-facts.ts');
    return () => new EventFacts();
  },
};
