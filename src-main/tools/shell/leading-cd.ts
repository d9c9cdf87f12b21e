import { parseShellLine } from '../../policy/commands/shell-line.ts';
import { AccessDenied } from '../../policy/roots.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import type { CommandFolder } from './command-folder.ts';

export interface PlacedLine {
  readonly line: string;
  readonly folder: CommandFolder;
}

/** Matches a `cd FOLDER &&` at the beginning, with or without quotes. */
const LEADING_CD = /^ *cd +(?:'([^']+)'|"([^"]+)"|([^\s'"&]+)) *&& *(\S.*)$/;

/**
 * Turns `cd FOLDER && REST` into REST in that folder, if it is inside the roots, so that a rule covers the actual
 * command and folder. It does so only for lines with a certain meaning: in `cd a && x & y`, `y` runs where the line
 * started.
 */
export async function placedLine(
  line: string,
  folder: CommandFolder,
  files: Pick<WorkspaceFiles, 'resolveDirectory'>,
): Promise<PlacedLine> {
  const asWritten = { line, folder };
  // A text of several lines would make the expression try each place in turn.
  if (line.includes('\n')) return asWritten;
  const [, single, double, bare, rest] = LEADING_CD.exec(line) ?? [];
  const first = parseShellLine(line)?.pipelines[0];
  if (rest === undefined || process.platform === 'win32' || first?.length !== 1) return asWritten;
  const [cd, target, ...more] = first[0]?.words ?? [];
  const given = single ?? double ?? bare;
  const isPlain = cd?.text === 'cd' && more.length === 0 && target?.wildcards.length === 0 && target.text === given;
  // `cd -` goes to the shell's previous folder; `cd -P` is an option.
  if (given === undefined || !isPlain || given.startsWith('-')) return asWritten;
  try {
    const placed = await files.resolveDirectory(given.startsWith('/') ? given : `${folder.real}/${given}`);
    return placed === null ? asWritten : { line: rest, folder: placed };
  } catch (error) {
    if (error instanceof AccessDenied) return asWritten;
    throw error;
  }
}
