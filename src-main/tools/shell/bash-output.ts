import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { outputOf } from '../../policy/mark-sources.ts';
import { exitCodeOf } from '../../processes/shell-line.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { addedTo, endingOf, markFetched, showTerminal } from './command-report.ts';
import { matchingLines } from './line-filter.ts';
import { outputWithNotices, withLastLine } from './shell-result.ts';

/** Returns the output of a background shell so far. Source: tool catalogue B.2. */
export const bashOutput = defineTool({
  name: 'bash_output',
  access: 'read',
  description: 'Read all output of a background shell so far. Ends with [running] or [exit code n].',
  longest: { filter: 1_000_000 },
  input: z.object({
    bash_id: z.string().describe('Id that bash returned, such as shell_1'),
    filter: z.string().default('').describe('Regular expression; only lines that match are returned'),
  }),
  nameAliases: ['bashoutput'],
  words: { title: 'Read shell output', done: 'Read output of', icon: 'terminal', about: ['bash_id'] },
  manual: {
    example: { bash_id: 'shell_1', filter: 'error|warning' },
    limits: ['10 MB of each output stream are kept.', 'A filter may run for 10 seconds.'],
  },
  async assess({ bash_id, filter }, { shells }) {
    const folder = shells.get(bash_id)?.directory;
    const output = folder === undefined ? {} : { outputFrom: folder };
    return { access: [{ class: 'read', kind: 'app', ...output }], plan: { bash_id, filter } };
  },
  async execute({ bash_id, filter }, context) {
    const shell = context.shells.get(bash_id);
    if (shell === undefined) throw new ToolFailure(`Error: Shell not found: ${bash_id}`);
    const { line, outcome } = shell;
    const { stdout, stderr } = outputWithNotices(shell.output);
    const captured = (stdout + stderr).trimEnd();
    const text = filter === '' ? captured : (await matchingLines(captured, filter, context)).trimEnd();
    // The shell was allowed when it started; reading its output has no further effects.
    context.mark({ kind: 'private', source: outputOf(line) });
    markFetched(context, line);
    // Another conversation may have started it, and written its line beside text from outside.
    for (const mark of shell.marks)
      if (!context.marks.some((each) => isDeepStrictEqual(each, mark))) context.mark(mark);
    const exitCode = outcome === undefined ? undefined : exitCodeOf(outcome.exitCode, outcome.exitSignal);
    const status = exitCode === undefined ? '[running]' : `[exit code ${exitCode}]`;
    const result = withLastLine(captured === '' ? '(no output yet)' : text, status);
    const ended = exitCode === undefined ? {} : { exitCode };
    showTerminal(context, line, { ...endingOf(outcome), ...ended, shellId: bash_id, ...addedTo(text, result) });
    return result;
  },
});
