import { parseShellLine } from '../../policy/commands/shell-line.ts';
import { AccessDenied } from '../../policy/roots.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import type { CommandFolder } from './command-folder.ts';

export interface PlacedLine {
  readonly line: string;
  readonly folder: CommandFolder;
}

/** `cd FOLDER &&`, the folder in quotes or not. */
const LEADING_CD = /^ *cd +(?:'([^']+)'|"([^"]+)"|([^\s'"]+)) *&& *(.+)$/;

/**
 * `cd FOLDER && REST` as REST in that folder, where it is one inside the roots: so a rule holds for the command and the folder that are
 * meant. Only of lines whose meaning is beyond doubt: in `cd a && x & y`, `y` runs where the line began.
 */
export async function placedLine(
  line: string,
  folder: CommandFolder,
  files: Pick<WorkspaceFiles, 'resolveDirectory'>,
): Promise<PlacedLine> {
  const asWritten = { line, folder };
  const [, single, double, bare, rest] = LEADING_CD.exec(line) ?? [];
  const first = parseShellLine(line)?.pipelines[0];
  if (rest === undefined || process.platform === 'win32' || first?.length !== 1) return asWritten;
  const [cd, target, ...more] = first[0]?.words ?? [];
  const given = single ?? double ?? bare;
  const isPlain = cd?.text === 'cd' && more.length === 0 && target?.wildcards.length === 0 && target.text === given;
  // `cd -` is where the shell was before, `cd -P` an option.
  if (given === undefined || !isPlain || given.startsWith('-')) return asWritten;
  try {
    const placed = await files.resolveDirectory(given.startsWith('/') ? given : `${folder.real}/${given}`);
    return placed === null ? asWritten : { line: rest, folder: placed };
  } catch (error) {
    if (error instanceof AccessDenied) return asWritten;
    throw error;
  }
}
