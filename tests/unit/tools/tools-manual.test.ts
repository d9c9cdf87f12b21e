import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtInTools } from '../../../src-main/tools/built-in-tools.ts';
import { validateInput } from '../../../src-main/tools/registry/validation.ts';
import { toolsManual } from './tools-manual.ts';

const path = fileURLToPath(new URL('../../../docs/TOOLS.md', import.meta.url));

test('docs/TOOLS.md says what the registry says (vitest -u renders it anew)', async () => {
  await expect(toolsManual()).toMatchFileSnapshot(path);
});

test.each(builtInTools)('$tool.name has a manual with an example that it takes as it is', ({ tool }) => {
  const example = tool.manual?.example;
  expect(example).toBeDefined();
  const validation = validateInput(tool, example);
  expect(validation).toMatchObject({ ok: true, input: example });
  for (const limit of tool.manual?.limits ?? []) expect(limit).toMatch(/^\S.*\.$/);
  for (const [name, property] of Object.entries(Object(tool.inputSchema.properties)))
    expect(Object(property).description, `${tool.name}.${name}`).toMatch(/\S/);
});

test('every line that the manual shows is a call of its tool', () => {
  const lines = [...readFileSync(path, 'utf8').matchAll(/```\n\/(\S+) (.*)\n```/g)];
  expect(lines.map(([, name]) => name)).toEqual(builtInTools.map(({ tool }) => tool.name));
  for (const [, , input = ''] of lines) expect(() => JSON.parse(input)).not.toThrow();
});
