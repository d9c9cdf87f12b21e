import { dirname, resolve } from 'node:path';
import type { ExecuteAccess } from '../access.ts';
import { formOfCommand } from '../commands/exact-command.ts';
import { ruleAnswers } from '../rule-matching.ts';
import { asks, has, holdsBesideOutsideText, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeCommand(input: PolicyInput, access: ExecuteAccess): Verdict {
  return access.reading === undefined ? judgeRun(input, access) : judgeReading(input, access, access.reading);
}

function judgeRun(input: PolicyInput, access: ExecuteAccess): Verdict {
  const paths = unreviewedAround(input, access);
  if (paths.length > 0) return asks({ code: 'unreviewed_files', paths }, 'execute');
  const rule = ruleOfCommand(input, access, 'execute');
  if (rule !== undefined) return rule;
  const form = formOfCommand(access.command);
  if (form.kind === 'none') {
    const { why } = form;
    return asks(why === 'shell_line' ? { code: 'shell_line' } : { code: 'command_without_rule', why }, 'execute', true);
  }
  return asks({ code: has(input, 'untrusted') ? 'command_untrusted' : 'command' }, 'execute', true);
}

function judgeReading(
  input: PolicyInput,
  access: ExecuteAccess,
  { repository }: NonNullable<ExecuteAccess['reading']>,
): Verdict {
  if (repository === null) return { kind: 'allow', reason: { code: 'command_reads' } };
  const paths = unreviewedAround(input, access);
  if (paths.length > 0) return asks({ code: 'unreviewed_files', paths }, 'read');
  return ruleOfCommand(input, access, 'read') ?? asks({ code: 'repository', repository }, 'read', true);
}

function ruleOfCommand(input: PolicyInput, access: ExecuteAccess, effective: 'execute' | 'read'): Verdict | undefined {
  const rule = input.rules.find(
    (each) => ruleAnswers(each, input.tool, access, effective) && holdsBesideOutsideText(input, each),
  );
  return rule && { kind: 'rule', rule };
}

/**
 * Unreviewed files that a command could run: in the roots of its folder, of its program, and of any other path it is given (`node
 * /tools/build.js`, `--config=../x`).
 */
export function unreviewedAround({ unreviewedFiles, realPath }: PolicyInput, access: ExecuteAccess): readonly string[] {
  const paths = roughWords(access).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const named = paths
    .filter((path) => /[\\/]/.test(path))
    .map((path) => dirname(realPath(resolve(access.directory, path))));
  const folders = new Set([access.directory, ...named]);
  return [...new Set([...folders].flatMap((folder) => unreviewedFiles(folder)))];
}

/** Rather too many than too few: each only adds a folder to check. */
function roughWords({ command }: ExecuteAccess): readonly string[] {
  return command.kind === 'argv' ? command.argv : command.line.split(/[\s'"`()|&;<>]+/);
}
