import type { ExecuteAccess } from '../../policy/access.ts';
import type { WorkspaceDirectory } from '../files/workspace-files.ts';

/** What a command that was assessed runs in. */
export type CommandFolder = Pick<WorkspaceDirectory, 'given' | 'real' | 'leadsThere'>;

/** What running a command touches. */
export function commandEffects(
  command: ExecuteAccess['command'],
  { real: directory }: CommandFolder,
  reading: { readonly line: { readonly repository: string | null } } | undefined,
) {
  const read = reading && { reading: { repository: reading.line.repository } };
  return { access: [{ class: 'execute', command, directory, ...read } as const] };
}

/** A link may be turned between the question and the run. */
export async function requireSameFolder(folder: CommandFolder): Promise<void> {
  if (!(await folder.leadsThere())) throw new Error(`the folder ${folder.given} leads elsewhere now; nothing was run`);
}
