/** What in a server's text could mislead a model. */
export type FindingKind = 'hidden' | 'orders' | 'other_tool' | 'address' | 'long';

/** What was found, for people. */
export const FINDING_TEXTS: Readonly<Record<FindingKind, string>> = {
  hidden: 'Contains hidden characters',
  orders: 'Tells the assistant what to do',
  other_tool: 'Mentions another tool',
  address: 'Contains an address',
  long: 'Unusually long',
};
