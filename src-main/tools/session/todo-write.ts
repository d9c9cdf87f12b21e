import { z } from 'zod';
import type { TodosCard } from '../../../src-preload/contract/tool-card.ts';
import { defineTool } from '../define-tool.ts';

type Todo = TodosCard['todos'][number];

const BOXES: Readonly<Record<Todo['status'], string>> = { pending: '[ ]', in_progress: '[~]', completed: '[x]' };

/** Replaces the conversation's to-do list, which the window shows on the result's card. Source: tool catalogue B.10. */
export const todoWrite = defineTool({
  name: 'todo_write',
  nameAliases: ['todowrite'],
  access: 'write',
  description:
    'Replace the to-do list of this conversation, which the user sees. Give the whole list each time; an empty one clears it. Have one item in_progress at a time and complete it as soon as it is done.',
  longest: { todos: 200_000 },
  input: z.object({
    todos: z
      .array(
        z.object({
          content: z.string().describe('What is to be done'),
          status: z.string().default('pending').describe('pending, in_progress or completed'),
          activeForm: z.string().default('').describe('Text shown while it is in progress: "Reading the files"'),
        }),
      )
      .describe('The whole list, in order'),
  }),
  undo: 'nothing',
  words: { title: 'To-do list', done: 'Updated the to-do list', icon: 'list-todo', about: [] },
  manual: {
    example: {
      todos: [
        { content: 'Read the files', status: 'completed', activeForm: 'Reading the files' },
        { content: 'Write the report', status: 'in_progress', activeForm: 'Writing the report' },
      ],
    },
    limits: ['Any other status counts as pending.', 'The next list replaces this one.'],
  },
  async assess(input) {
    return { access: [{ class: 'write', kind: 'app', memory: false }], plan: input };
  },
  async execute(input, { card }) {
    const todos = input.todos.map(
      ({ content, status, activeForm }): Todo => ({
        content,
        status: isStatus(status) ? status : 'pending',
        activeForm,
      }),
    );
    card({ kind: 'todos', todos });
    const lines = todos.map(
      ({ content, status }) => `${BOXES[status]} ${content.replace(/(?<!\s)\s*[\r\n]\s*/g, ' ')}`,
    );
    return ['Todos updated', ...lines].join('\n');
  },
});

function isStatus(status: string): status is Todo['status'] {
  return Object.hasOwn(BOXES, status);
}
