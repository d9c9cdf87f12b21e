import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isInside } from '../../../src-main/base/paths.ts';
import { realPathOrItself } from '../../../src-main/base/real-path.ts';
import { withFreedom } from '../../../src-main/services/work-freely-once.ts';
import { type SandboxLack, sandboxLackText } from '../../../src-preload/contract/sandbox-lack.ts';
import { MemoryRules } from '../../fixtures/memory-ports.ts';

const home = realPathOrItself(homedir());
const project = join(home, 'project');

async function freedomIn(realRoots: readonly string[], lack?: SandboxLack) {
  const stored = new MemoryRules();
  const notices: string[] = [];
  const rules = await withFreedom(stored, {
    files: { realRoots, contains: (path) => realRoots.some((root) => isInside(root, path)) },
    sandbox: { lackIn: async () => lack },
    notify: ({ message }) => void notices.push(message),
  });
  const folders = rules.list(null).map(({ matcher }) => (matcher.kind === 'work-freely' ? matcher.path : matcher.kind));
  return { stored, rules, folders, notices };
}

test('it is for each root, and for one inside another only as far as that allows', async () => {
  const other = join(home, 'other');
  const { folders, notices } = await freedomIn([project, join(project, '.vscode'), other]);
  expect({ folders, notices }).toEqual({ folders: [project, other], notices: [] });
});

test.each([home, dirname(home)])('there is none in %s', async (root) => {
  const { folders, notices } = await freedomIn([root], { code: 'no_bubblewrap' });
  expect({ folders, notices }).toEqual({ folders: [], notices: [expect.stringContaining(`in ${root} still asks`)] });
});

test('where commands are not held, it is said why', async () => {
  const lack = { code: 'no_bubblewrap' } as const;
  const { folders, notices } = await freedomIn([project], lack);
  expect({ folders, notices }).toEqual({
    folders: [project],
    notices: [`Commands still ask. ${sandboxLackText(lack)}`],
  });
});

test('nothing of it is stored, and the stored rules are used as without it', async () => {
  const { stored, rules } = await freedomIn([project]);
  const matcher = { kind: 'folder', class: 'write', path: project } as const;
  const { id } = rules.add({ label: 'edit files', tool: null, matcher }, null);
  const used = vi.spyOn(stored, 'markUsed');
  for (const rule of rules.list(null)) rules.markUsed(rule.id);
  expect(used.mock.calls).toEqual([[id]]);
  expect([rules.list(null).length, stored.list(null).length]).toEqual([2, 1]);
  expect(rules.revoke(id)).toBe(true);
  expect(stored.list(null)).toEqual([]);
});
