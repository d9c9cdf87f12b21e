import { z } from 'zod';
import { groupKillCommand } from '../../processes/end-calls.ts';
import { type AssessContext, ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import type { BackgroundShell } from './background-shells.ts';
import { addedTo, endingOf, showTerminal } from './command-report.ts';

/** Ends a background shell and everything it started. Source: tool catalogue B.2. */
export const killShell = defineTool({
  name: 'kill_shell',
  access: 'execute',
  description: 'Stop a background shell and everything it started. Its output can still be read.',
  input: z.object({ shell_id: z.string().describe('Id that bash returned, such as shell_1') }),
  aliases: { bash_id: 'shell_id' },
  nameAliases: ['killshell'],
  words: { title: 'Stop shell', done: 'Stopped', asked: 'Stop a command?', icon: 'terminal', about: ['shell_id'] },
  manual: { example: { shell_id: 'shell_1' }, limits: ['Processes that have not ended after two seconds are killed.'] },
  // The shell is identified by its process, not by its id: ids restart with each app start, and an answer applies to
  // exactly this process.
  async assess({ shell_id: id }, context) {
    const { isAlive, pid, line, directory } = existing(id, context);
    if (!isAlive) return { access: [{ class: 'read', kind: 'app' }], plan: { id } };
    return {
      access: [
        { kind: 'command', class: 'execute', command: { kind: 'argv', argv: groupKillCommand(pid) }, directory },
      ],
      previews: [{ kind: 'text', title: `Running in ${id}, would be stopped`, text: line }],
      plan: { id },
    };
  },
  async execute({ id }, context) {
    await context.shells.kill(id);
    const { line, outcome } = existing(id, context);
    const text = `Killed shell: ${id}`;
    showTerminal(context, line, { ...endingOf(outcome), shellId: id, ...addedTo('', text) });
    return text;
  },
});

function existing(id: string, { shells }: Pick<AssessContext, 'shells'>): BackgroundShell {
  const shell = shells.get(id);
  if (shell === undefined) throw new ToolFailure(`Error: Shell not found: ${id}`);
  return shell;
}
