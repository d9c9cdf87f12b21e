/** Arguments that are longer than anything that reads them can take. */
import { afterEach, expect, test, vi } from 'vitest';
import { isRecord } from '../../src-main/base/json.ts';
import { FILE_LENGTH } from '../../src-main/tools/argument-limits.ts';
import { registerBuiltInTools } from '../../src-main/tools/built-in-tools.ts';
import { ToolRegistry } from '../../src-main/tools/registry/registry.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { registryPorts } from '../fixtures/registry-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

/** One character longer than every maximum. */
const TOO_LONG = FILE_LENGTH + 1;
const UNITS = ['[', ' ', '1', 'a', '\n', 'cd a && ', '\\', '(', '*', 'é'];

const registry = new ToolRegistry(
  registryPorts({ available: { hasCredential: () => true, searchProvider: 'brave', hasSandbox: true } }),
);
registerBuiltInTools(registry);
const parameters = registry.list().flatMap((tool) => {
  const { properties } = tool.inputSchema;
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
    const type = isRecord(schema) ? schema.type : undefined;
    return type === 'number' || type === 'integer' || type === 'boolean' ? [] : [[tool.name, name] as const];
  });
});

test('there are tools to try', () => expect(parameters.length).toBeGreaterThan(60));

test.each(parameters)('%s: %s has a maximum, which is checked before anything reads it', (toolName, name) => {
  const tool = registry.get(toolName);
  if (tool === undefined) throw new Error(toolName);
  const prepare = vi.spyOn(tool, 'prepare');
  for (const unit of UNITS) {
    const value = unit.repeat(Math.ceil(TOO_LONG / unit.length));
    for (const given of [value, [value], { a: value }, [{ a: [value] }]]) {
      const prepared = registry.prepare(toolName, { [name]: given });
      expect(prepared.ok).toBe(false);
      if (!prepared.ok) expect(prepared.text).toMatch(/ is too long: |Invalid JSON parameters/);
    }
  }
  expect(prepare).not.toHaveBeenCalled();
});

let tools: ToolHarness | undefined;
afterEach(() => tools?.dispose());

test('the longest that are allowed are answered soon', async () => {
  tools = new ToolHarness({ consent: allowAll });
  for (const [name, input] of [
    ['glob', { pattern: '['.repeat(10_000) }],
    ['glob', { pattern: '**/'.repeat(3_000) }],
    ['grep', { pattern: '['.repeat(10_000) }],
    ['grep', { pattern: 'x', glob: '{'.repeat(10_000) }],
    ['search_code', { query: 'x', pattern: '['.repeat(10_000) }],
    ['bash', { command: `cd a &&${' '.repeat(29_000)}` }],
    ['bash', { command: `cd a &&${' '.repeat(29_000)}\n` }],
    ['run_command', { command: '1'.repeat(10_000) }],
    ['bash', { command: '1'.repeat(29_000) }],
    ['bash', { command: `sed -n '${'p;'.repeat(14_000)}' a` }],
    ['execute_command', { command: `cat ${'a '.repeat(14_000)}` }],
  ] as const) {
    const start = performance.now();
    await tools.turn(name, input);
    expect([name, performance.now() - start < 15_000]).toEqual([name, true]);
  }
});

test.each(['b', 'bb', 'b'.repeat(50), 'b'.repeat(10_000), '', '\u{1f600}'.repeat(20)])(
  'an edit of millions of places with a text of other lengths (%#) is refused before it is made',
  async (text) => {
    tools = new ToolHarness({ consent: allowAll });
    const before = 'a'.repeat(8_000_000);
    tools.put('a.txt', before);
    const start = performance.now();
    const { result } = await tools.turn('edit', {
      file_path: 'a.txt',
      old_string: 'a',
      new_string: text,
      replace_all: true,
    });
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(result.text).toMatch(/more than 1,000,000 times/);
  },
);

test('an edit that would make a file too large is counted, not made', async () => {
  tools = new ToolHarness({ consent: allowAll });
  tools.put('a.txt', 'a\n'.repeat(100_000));
  const input = { file_path: 'a.txt', old_string: 'a', new_string: 'b'.repeat(5_000), replace_all: true };
  const { result } = await tools.turn('edit', input);
  expect(result.text).toMatch(/more than the 104,857,600 bytes/);
});

test('while a large file is edited, everything else goes on', async () => {
  tools = new ToolHarness({ consent: allowAll });
  tools.put('a.txt', 'a line of text\n'.repeat(2_000_000));
  let ticks = 0;
  const timer = setInterval(() => ticks++, 20);
  try {
    const input = { file_path: 'a.txt', old_string: 'line of', new_string: 'row of', replace_all: false };
    const { result } = await tools.turn('edit', input);
    expect(result.text).toMatch(/^Replaced 1 occurrence|more than 1,000,000 times/);
    expect(ticks).toBeGreaterThan(2);
  } finally {
    clearInterval(timer);
  }
});
