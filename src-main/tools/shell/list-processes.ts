import { tmpdir } from 'node:os';
import { z } from 'zod';
import { firstCharacters } from '../../base/text.ts';
import { listedProcesses } from '../../processes/process-list.ts';
import type { ListedProcess } from '../../processes/process-tables.ts';
import { defineTool } from '../define-tool.ts';
import { withoutSecrets } from './shown-commands.ts';

const MAX_COMMAND_LENGTH = 1000;
/** How much of a command line, which may be megabytes long, is searched for secrets. */
const LOOKED_THROUGH = 4 * MAX_COMMAND_LENGTH;

/** The processes on this machine. Source: tool catalogue B.2. */
export const listProcesses = defineTool({
  name: 'list_processes',
  access: 'read',
  description:
    'List the running processes: user, pid, processor and memory use in percent, command line. Anything in a command line that looks like a secret is left out.',
  input: z.object({}),
  errorPrefix: 'Error: ',
  words: { title: 'List processes', done: 'Listed processes', icon: 'terminal', about: [] },
  manual: {
    example: {},
    limits: [
      'A command line is cut after 1,000 characters.',
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

/** Five columns separated by single blanks; only the last one may contain blanks. */
function rowOf({ user, pid, cpuPercent, memoryPercent, command }: ListedProcess): string {
  // A process can set its own title, with line ends that would look like further rows.
  const oneLine = withoutSecrets(
    firstCharacters(command, LOOKED_THROUGH)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  );
  const shown = firstCharacters(oneLine, MAX_COMMAND_LENGTH);
  const cut = shown.length < oneLine.length || command.length > LOOKED_THROUGH ? '…' : '';
  return `${user.replace(/\s+/g, '_')} ${pid} ${cpuPercent.toFixed(1)} ${memoryPercent.toFixed(1)} ${shown}${cut}`;
}
