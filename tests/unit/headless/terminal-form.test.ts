import { expect, test } from 'vitest';
import { filledIn } from '../../../src-main/headless/terminal-form.ts';
import { requestedForm } from '../../../src-main/mcp/requests/requested-form.ts';
import { formContent } from '../../../src-main/policy/mcp/form.ts';

const { fields } = requestedForm({
  message: '',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Yours\u202E' },
      bags: { type: 'integer', minimum: 0, maximum: 3, default: 1 },
      agreed: { type: 'boolean' },
      seat: { type: 'string', enum: ['window', 'aisle'] },
      meals: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 },
      answer: { type: 'string', description: 'The password that you chose' },
    },
    required: ['name', 'seat'],
  },
});

async function typed(lines: readonly (string | null)[]) {
  const shown: string[] = [];
  const rest = [...lines];
  const entered = await filledIn(fields, async (text) => {
    shown.push(text);
    const line = rest.shift();
    if (line === undefined) throw new Error(`Nothing was typed for: ${text}`);
    return line;
  });
  return { shown, entered, content: entered === null ? undefined : formContent(fields, entered) };
}

test('a user fills in a form field by field; what is wrong is asked again, what is left empty keeps its default', async () => {
  const { content, shown } = await typed(['', 'Ada', '7', '', 'maybe', 'y', '3', '2', '1,2,3', '1, 3', '']);
  expect(content).toEqual({ name: 'Ada', bags: 1, agreed: true, seat: 'aisle', meals: ['a', 'c'] });
  expect(shown).toHaveLength(11);
  expect(shown.join('')).not.toContain('\u202E');
});

test('a field that seems to ask for a secret warns', async () => {
  const { shown } = await typed(['Ada', '', 'n', '1', '', '']);
  expect(shown.map((text) => text.includes('! '))).toEqual([false, false, false, false, false, true]);
});

test('a choice that may stay empty can be taken back', async () => {
  const form = requestedForm({
    message: '',
    requestedSchema: {
      type: 'object',
      properties: {
        seat: { type: 'string', enum: ['window', 'aisle'], default: 'aisle' },
        meals: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
        airport: { type: 'string', enum: ['Lisbon', 'Porto'], default: 'Porto' },
      },
      required: ['airport'],
    },
  });
  const filled = async (...lines: string[]) => {
    const entered = await filledIn(form.fields, async () => lines.shift() ?? null);
    return entered === null ? null : formContent(form.fields, entered);
  };
  expect(await filled('', '', '')).toEqual({ seat: 'aisle', meals: ['a'], airport: 'Porto' });
  expect(await filled('0', '0', '')).toEqual({ airport: 'Porto' });
  // A required field has no such choice, and asks again.
  expect(await filled('0', '0', '0', '1')).toEqual({ airport: 'Lisbon' });
});

test('the end of the input ends it', async () => {
  expect((await typed(['Ada', null])).entered).toBeNull();
});
