import { resolve } from 'node:path';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { ownValue } from '../../base/json.ts';
import { isRefusedWindowsSyntax } from '../../base/paths.ts';
import { realPathOf, UnresolvablePath } from '../../base/real-path.ts';
import type { Conversation } from '../../storage/conversations/conversations.ts';
import type { WorkspaceFiles } from '../../tools/files/workspace-files.ts';

export interface CallFile {
  /** The absolute path. */
  readonly path: string;
  /** The file exists inside the folders that tools may use. Paths that a model made up are not accessed. */
  readonly canBeShown: boolean;
}

/** Arguments that name a file or folder, most likely first. */
const PATH_ARGUMENTS = ['file_path', 'path', 'directory', 'working_directory'];

/** The file that a call was about, according to the conversation's log. Undefined if there was none. */
export async function fileOfCall(
  events: readonly StoredEvent[],
  callId: string,
  { workspace }: Conversation,
  files: Pick<WorkspaceFiles, 'contains'>,
): Promise<CallFile | undefined> {
  const given = givenPath(events, callId);
  // A line break in it would press Enter where the path is pasted.
  if (given === undefined || /\p{Cc}/u.test(given)) return undefined;
  const path = resolve(workspace, given);
  // Looking at one on Windows would sign in to its server.
  if (isRefusedWindowsSyntax(given)) return { path, canBeShown: false };
  try {
    const { path: real, exists } = await realPathOf(path);
    return { path, canBeShown: exists && files.contains(real) };
  } catch (error) {
    if (error instanceof UnresolvablePath) return { path, canBeShown: false };
    throw error;
  }
}

function givenPath(events: readonly StoredEvent[], callId: string): string | undefined {
  const result = events.findLast((event) => event.type === 'tool_result' && event.id === callId);
  if (result?.type === 'tool_result') {
    if (result.card?.kind === 'diff') return result.card.path;
    if (result.changed?.[0] !== undefined) return result.changed[0];
  }
  const call = events.findLast((event) => event.type === 'tool_call' && event.id === callId);
  if (call?.type !== 'tool_call') return undefined;
  return PATH_ARGUMENTS.map((name) => ownValue(call.input, name)).find(isPath);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
