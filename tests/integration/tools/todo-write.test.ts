import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

test('todo_write replaces the list, in the text and on the card', async () => {
  const todos = [
    { content: 'A', status: 'completed', activeForm: 'Doing A' },
    { content: 'B', status: 'in_progress', activeForm: 'Doing B' },
  ];
  expect(await tools.text('todo_write', { todos })).toBe('Todos updated\n[x] A\n[~] B');
  expect(tools.cards.splice(0)).toEqual([{ kind: 'todos', todos }]);
  expect(await tools.text('TodoWrite', { todos: JSON.stringify(todos) })).toBe('Todos updated\n[x] A\n[~] B');
  expect(await tools.text('todo_write', { todos: [] })).toBe('Todos updated');
  expect(tools.cards.at(-1)).toEqual({ kind: 'todos', todos: [] });
});

test('any other status is pending, one line per item, and nothing is an error but no list', async () => {
  const todos = [
    { content: 'A', status: 'done' },
    { content: 'B\n[x] C' },
    { content: 'D', status: { odd: true }, activeForm: 5 },
    { content: 'E', status: 'toString' },
  ];
  expect(await tools.text('todo_write', { todos })).toBe('Todos updated\n[ ] A\n[ ] B [x] C\n[ ] D\n[ ] E');
  expect(tools.cards).toEqual([
    {
      kind: 'todos',
      todos: [
        { content: 'A', status: 'pending', activeForm: '' },
        { content: 'B\n[x] C', status: 'pending', activeForm: '' },
        { content: 'D', status: 'pending', activeForm: '5' },
        { content: 'E', status: 'pending', activeForm: '' },
      ],
    },
  ]);
  expect(await tools.call('todo_write', {})).toEqual({ text: isRequired('todos'), isError: true });
  expect(await tools.text('todo_write', { todos: [{ status: 'pending' }] })).toBe(
    'Error: todos[0].content is required',
  );
});

test('the schema describes items, and the list does not ask', async () => {
  const tool = tools.registry.get('todo_write');
  expect(tool?.inputSchema).toMatchObject({
    properties: { todos: { type: 'array', items: { type: 'object', required: ['content'] } } },
  });
  expect((await tools.effectsOf('todo_write', { todos: [] })).access).toEqual([
    { class: 'write', kind: 'app', memory: false },
  ]);
});
