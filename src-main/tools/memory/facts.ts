import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { marksKept, memoryWrite } from './memory-write.ts';

const REQUIRED = { key: 'Error: Key parameter is required', value: 'Error: Value parameter is required' };
const EXACT_KEYS = 'Keys are compared exactly, including case.';

/** Stores a value under a key. Source: tool catalogue B.8. */
export const setFact = defineTool({
  name: 'set_fact',
  access: 'write',
  description:
    'Remember a fact under a key, for this and all later conversations. An existing key is overwritten. Read it with get_fact.',
  longest: { value: 100_000 },
  input: z.object({
    key: z.string().describe('Name of the fact, e.g. user.name'),
    value: z.string().describe('What to remember'),
  }),
  emptyAllowed: ['value'],
  requiredTexts: REQUIRED,
  undo: 'nothing',
  words: { title: 'Remember a fact', done: 'Remembered:', icon: 'brain', about: ['key'] },
  manual: {
    example: { key: 'user.city', value: 'Lisbon' },
    limits: [EXACT_KEYS, 'An existing value is overwritten; clear_fact removes the fact.'],
  },
  assess: memoryWrite,
  async execute({ key, value }, { memory, marks }) {
    memory.setFact(key, value, marksKept(marks));
    return `Successfully stored fact: ${key}`;
  },
});

/** Returns the value stored under a key. Source: tool catalogue B.8. */
export const getFact = defineTool({
  name: 'get_fact',
  access: 'read',
  description: 'Return a fact stored with set_fact, in this or an earlier conversation.',
  input: z.object({ key: z.string().describe('Name of the fact, exactly as given to set_fact') }),
  requiredTexts: REQUIRED,
  words: { title: 'Recall a fact', done: 'Recalled:', icon: 'brain', about: ['key'] },
  manual: { example: { key: 'user.city' }, limits: [EXACT_KEYS] },
  async execute({ key }, { memory, mark }) {
    const fact = memory.getFact(key);
    if (fact === undefined) return `Fact not found: ${key}`;
    mark({ kind: 'private', source: `fact ${key}` });
    for (const kept of fact.marks) mark(kept);
    return fact.value;
  },
});

/** Deletes the value stored under a key. Source: tool catalogue B.8. */
export const clearFact = defineTool({
  name: 'clear_fact',
  access: 'write',
  description: 'Forget a fact stored with set_fact.',
  input: z.object({ key: z.string().describe('Name of the fact, exactly as given to set_fact') }),
  requiredTexts: REQUIRED,
  undo: 'nothing',
  words: { title: 'Forget a fact', done: 'Forgot:', icon: 'brain', about: ['key'] },
  manual: { example: { key: 'user.city' }, limits: [EXACT_KEYS, 'The value is deleted; set_fact can set it again.'] },
  assess: memoryWrite,
  async execute({ key }, { memory }) {
    return memory.clearFact(key) ? `Successfully deleted fact: ${key}` : `Fact not found: ${key}`;
  },
});
