import { tmpdir } from 'node:os';
import { z } from 'zod';
import { listedProcesses } from '../../processes/process-list.ts';
import type { ListedProcess } from '../../processes/process-tables.ts';
import { defineTool } from '../define-tool.ts';
import { programAndFirstWord } from './shown-commands.ts';

/** Lists the processes on this machine. Source: tool catalogue B.2. */
export const listProcesses = defineTool({
  name: 'list_processes',
  access: 'read',
  description:
    'List the running processes: user, pid, processor and memory use in percent, program. Of a command line, which may hold passwords, only the program and its first plain word are shown.',
  input: z.object({}),
  errorPrefix: 'Error: ',
  words: { title: 'List processes', done: 'Listed processes', icon: 'terminal', about: [] },
  manual: {
    example: {},
    limits: [
      'Of a command line, only the program and its first plain word are shown: no option, address or assignment.',
      "Steward's own process comes first, the others by number.",
    ],
  },
  assess: async () => ({ access: [], plan: {} }),
  async execute(_, { processes, signal, mark }) {
    const all = await listedProcesses({ processes, signal, directory: tmpdir() });
    mark({ kind: 'private', source: 'the list of running processes' });
    const own = (listed: ListedProcess) => (listed.pid === process.pid ? 0 : 1);
    const inOrder = [...all].sort((a, b) => own(a) - own(b) || a.pid - b.pid);
    return ['USER PID %CPU %MEM COMMAND', ...inOrder.map(rowOf)].join('\n');
  },
});

/** The row has five columns separated by single blanks, of which only the last may contain blanks. */
function rowOf({ user, pid, cpuPercent, memoryPercent, command }: ListedProcess): string {
  const shown = programAndFirstWord(command);
  return `${user.replace(/\s+/g, '_')} ${pid} ${cpuPercent.toFixed(1)} ${memoryPercent.toFixed(1)} ${shown}`;
}
