import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { sandboxLackText } from '../../src-preload/contract/sandbox-lack.ts';
import type { Notice } from '../assistant/turn.ts';
import { realPathOrItself } from '../base/real-path.ts';
import type { Rule, RuleStore } from '../policy/rules.ts';
import { freelyRule, outermostRoot } from '../policy/work-freely.ts';
import type { WorkspaceFiles } from '../tools/files/workspace-files.ts';
import type { SandboxService } from './sandbox-service.ts';

export interface FreedomPorts {
  readonly files: Pick<WorkspaceFiles, 'realRoots' | 'contains'>;
  readonly sandbox: Pick<SandboxService, 'lackIn'>;
  readonly notify: (notice: Notice) => void;
}

/**
 * The stored rules, and those that let the assistant work freely in the roots of now. They are never stored, so they
 * end with this run. A folder that is granted later has none, since that question says nothing of it.
 */
export async function withFreedom(stored: RuleStore, { files, sandbox, notify }: FreedomPorts): Promise<RuleStore> {
  const say = (message: string) => notify({ code: 'work_freely', message });
  const home = realPathOrItself(homedir());
  const isInsideRoots = (path: string) => files.contains(path);
  const roots = new Set(files.realRoots.map((root) => outermostRoot(root, { isInsideRoots })));
  const createdAt = new Date().toISOString();
  const rules: Rule[] = [];
  for (const root of roots) {
    const [draft] = freelyRule(root, { home });
    if (draft === undefined) say(`What is done in ${root} still asks, because it is your home folder or contains it.`);
    else rules.push({ ...draft, id: randomUUID(), conversationId: null, createdAt, lastUsedAt: null, uses: 0 });
  }
  const lack = rules.length === 0 ? undefined : await sandbox.lackIn(files.realRoots);
  if (lack !== undefined) say(`Commands still ask. ${sandboxLackText(lack)}`);
  return {
    list: (conversationId) => [...stored.list(conversationId), ...rules],
    add: (draft, conversationId) => stored.add(draft, conversationId),
    markUsed: (id) => {
      if (!rules.some((rule) => rule.id === id)) stored.markUsed(id);
    },
    revoke: (id) => stored.revoke(id),
  };
}
