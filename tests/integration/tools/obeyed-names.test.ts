import { afterEach, beforeEach, expect, test } from 'vitest';
import { everyObeyedName } from '../../../src-main/policy/obeyed-files.ts';
import { foundBelow } from '../../../src-main/tools/shell/found-files.ts';
import { ObeyedEntries } from '../../../src-main/tools/shell/obeyed-entries.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { never, no } from '../../fixtures/memory-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: { ask: async () => no } });
});
afterEach(() => tools?.dispose());

test('each name is found at any depth and in any case, and no other is', async () => {
  const names = everyObeyedName.map((name) => name.replace('*', 'the\nproject'));
  const obeyed = names.flatMap((name, at) => [`lower-${at}/${name}`, `deep/upper\n${at}/${name.toUpperCase()}`]);
  const alike = names.flatMap((name) => [`alike/${name}x`, `alike/${name.replaceAll('.', 'x')}`]);
  const kept = obeyed.map((path) => tools.put(path, ''));
  for (const path of alike) tools.put(path, '');
  const run = { command: { kind: 'shell', line: 'true' }, directory: tools.workspace } as const;
  const found = await foundBelow({ folder: tools.workspace, withLinked: true }, 20_000, { signal: never });
  const entries = await ObeyedEntries.in(found, run, { ...tools.environment, signal: never });
  expect(entries.kept.toSorted()).toEqual(kept.toSorted());
});
