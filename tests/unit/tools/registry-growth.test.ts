import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { type Registration, ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

const FEW = 1_000;
const MANY = 4 * FEW;
/**
 * Four times the tools, and a little more for what does not divide evenly. A quadratic step would take sixteen times as
 * many.
 */
const LINEAR = 4.5;

const plain = defineTool({
  name: 'plain',
  access: 'read',
  description: 'Does nothing.',
  input: z.object({}),
  words: anyWords,
  execute: async () => '',
});

/**
 * What the registry does with tools and names, as far as it can be seen: each look at a tool or its name, each lookup.
 */
class Operations {
  count = 0;

  registration(name: string, more: Partial<Registration> = {}): Registration {
    const operations = this;
    const tool: Tool = {
      ...plain,
      get name() {
        operations.count++;
        return name;
      },
    };
    return {
      category: 'mcp',
      ...more,
      get tool() {
        operations.count++;
        return tool;
      },
    };
  }

  /** How many there are in `work`. */
  of(work: () => void): number {
    const before = this.count;
    const { has: mapHas, get: mapGet } = Map.prototype;
    const { has: setHas } = Set.prototype;
    const { includes, indexOf } = Array.prototype;
    const spies = [
      vi.spyOn(Map.prototype, 'has').mockImplementation(this.#counting(mapHas)),
      vi.spyOn(Map.prototype, 'get').mockImplementation(this.#counting(mapGet)),
      vi.spyOn(Set.prototype, 'has').mockImplementation(this.#counting(setHas)),
      vi.spyOn(Array.prototype, 'includes').mockImplementation(this.#counting(includes)),
      vi.spyOn(Array.prototype, 'indexOf').mockImplementation(this.#counting(indexOf)),
    ];
    try {
      work();
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return this.count - before;
  }

  /** A search through a list counts as many times as the list is long. */
  #counting<Args extends unknown[], Result>(original: (...args: Args) => Result): (...args: Args) => Result {
    const operations = this;
    return function counted(this: unknown, ...args: Args) {
      operations.count += Array.isArray(this) ? this.length : 1;
      return Reflect.apply(original, this, args);
    };
  }
}

interface Growth {
  readonly nameOf: (index: number) => string;
  readonly more?: Partial<Registration>;
}

/** Operations of each step with so many tools. */
function stepsWith(tools: number, { nameOf, more }: Growth): Record<string, number> {
  const operations = new Operations();
  const registry = new ToolRegistry(registryPorts());
  const registrations = Array.from({ length: tools }, (_, index) => operations.registration(nameOf(index), more));
  const register = () => {
    for (const registration of registrations) registry.register(registration);
  };
  const registering = operations.of(register);
  const building = operations.of(() => registry.buildAll());
  const names = registry.list().map(({ name }) => name);
  return {
    registering,
    building,
    refreshing: operations.of(() => registry.refresh()),
    offering: operations.of(() => registry.offered()),
    'listing what is missing': operations.of(() => registry.unavailable()),
    'removing one': operations.of(() => registry.remove(names.at(-1) ?? '')),
    'removing all by name': operations.of(() => registry.remove(...names)),
    'registering again': operations.of(register),
    clearing: operations.of(() => registry.clear('mcp')),
  };
}

test.each<[string, Growth]>([
  ['of a name each', { nameOf: (index) => `server__tool_${index}` }],
  ['of one and the same name', { nameOf: () => 'same' }],
  ['of names that become one wire name', { nameOf: (index) => `a${' .:/!'[index % 5]}${index % 7}`.repeat(9) + index }],
  [
    'of names that no hash tells apart',
    { nameOf: (index) => String.fromCharCode(0xd800 + (index % 1024), 0xd800 + Math.floor(index / 1024)) },
  ],
  [
    'of which half have not what they need',
    { nameOf: (index) => `tool_${index}`, more: { gate: { needs: 'a key', isOpen: () => false } } },
  ],
])('four times as many tools %s take four times the work', (_name, growth) => {
  const few = stepsWith(FEW, growth);
  const many = stepsWith(MANY, growth);
  for (const [step, count] of Object.entries(many))
    expect(count / Math.max(1, few[step] ?? 0), step).toBeLessThan(LINEAR);
});

test('so do tools that a list of names and globs switches off', () => {
  const switching = (tools: number) => {
    const operations = new Operations();
    const names = Array.from({ length: tools }, (_, index) => `tool_${index}`);
    const disabledTools = {
      load: () => ['gone_*', ...names.filter((_, index) => index % 2 === 0)],
      update: async () => [],
    };
    const registry = new ToolRegistry(registryPorts({ disabledTools }));
    for (const name of names) registry.register(operations.registration(name));
    registry.buildAll();
    return operations.of(() => registry.offered());
  };
  expect(switching(MANY) / switching(FEW)).toBeLessThan(LINEAR);
});
