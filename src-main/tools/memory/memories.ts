import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { marksKept, memoryWrite } from './memory-write.ts';

const REQUIRED = {
  question: 'Error: Question parameter is required',
  answer: 'Error: Answer parameter is required',
};

/** Stores a question with its answer. Source: tool catalogue B.8. */
export const storeMemory = defineTool({
  name: 'store_memory',
  access: 'write',
  description:
    'Remember a question with its answer, for this and all later conversations. An existing question is overwritten. Find it with search_memory.',
  longest: { question: 100_000, answer: 100_000 },
  input: z.object({
    question: z.string().describe('The question that should find it later'),
    answer: z.string().describe('What to remember'),
  }),
  aliases: { key: 'question', value: 'answer' },
  requiredTexts: REQUIRED,
  undo: 'nothing',
  words: { title: 'Remember', done: 'Remembered:', icon: 'brain', about: ['question'] },
  manual: {
    example: { question: 'Where does the team meet?', answer: 'In the blue room, on Mondays.' },
    limits: ['An existing answer is overwritten; clear_memory removes the memory.'],
  },
  assess: memoryWrite,
  async execute({ question, answer }, { memory, marks }) {
    memory.storeMemory(question, answer, marksKept(marks));
    return `Successfully stored memory: ${question}`;
  },
});

/** Deletes a question and its answer. Source: tool catalogue B.8. */
export const clearMemory = defineTool({
  name: 'clear_memory',
  access: 'write',
  description: 'Forget a question stored with store_memory, and its answer.',
  longest: { question: 100_000 },
  input: z.object({ question: z.string().describe('The question, exactly as given to store_memory') }),
  aliases: { key: 'question' },
  requiredTexts: REQUIRED,
  undo: 'nothing',
  words: { title: 'Forget', done: 'Forgot:', icon: 'brain', about: ['question'] },
  manual: {
    example: { question: 'Where does the team meet?' },
    limits: ['Questions are compared exactly.', 'The answer is deleted; store_memory can store it again.'],
  },
  assess: memoryWrite,
  async execute({ question }, { memory }) {
    return memory.clearMemory(question) ? `Successfully deleted memory: ${question}` : `Memory not found: ${question}`;
  },
});
