import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { Notice } from '../assistant/turn.ts';
import { realPathOrItself } from '../base/real-path.ts';
import type { Rule, RuleStore } from '../policy/rules.ts';
import { freelyRule, outermostRoot } from '../policy/work-freely.ts';
import type { WorkspaceFiles } from '../tools/files/workspace-files.ts';
import type { SandboxService } from './sandbox-service.ts';

export interface FreedomPorts {
  readonly files: Pick<WorkspaceFiles, 'realRoots' | 'contains'>;
  readonly sandbox: Pick<SandboxService, 'isOff' | 'canHold'>;
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
  if (rules.length > 0 && !(await sandbox.canHold(files.realRoots))) say(unheldText(sandbox));
  return {
    list: (conversationId) => [...stored.list(conversationId), ...rules],
    add: (draft, conversationId) => stored.add(draft, conversationId),
    markUsed: (id) => {
      if (!rules.some((rule) => rule.id === id)) stored.markUsed(id);
    },
    revoke: (id) => stored.revoke(id),
  };
}

function unheldText({ isOff }: Pick<SandboxService, 'isOff'>): string {
  return isOff
    ? 'Commands still ask, because the sandbox is off.'
    : 'Commands still ask, because this computer can’t hold them in a sandbox.';
}
