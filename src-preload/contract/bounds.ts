import { z } from 'zod';
import type { SandboxLack } from './sandbox-lack.ts';

/** Whether the assistant works freely in a folder. */
export type Freedom =
  | { readonly state: 'always' }
  /** The time in ISO 8601. */
  | { readonly state: 'until'; readonly until: string }
  /** With `isAllowedInSome`, there are conversations in which it does. */
  | { readonly state: 'asks'; readonly isAllowedInSome: boolean }
  /** The folder is in this root, whose state counts. */
  | { readonly state: 'within'; readonly root: string }
  /** It asks, and can't be allowed more: the folder contains the home, or programs obey it as a whole. */
  | { readonly state: 'not_offered'; readonly why: 'home' | 'obeyed' };

/** How long it can be allowed in Settings. */
export const FreedomLasts = z.enum(['week', 'always']);
export type FreedomLasts = z.infer<typeof FreedomLasts>;

/** What runs without a question, and where. */
export interface BoundsView {
  /** The workspace and the granted folders in effect. Paths are as configured. */
  readonly folders: readonly { readonly path: string; readonly freedom: Freedom }[];
  /** Why commands can't be held in a sandbox, or null if they can. */
  readonly lack: SandboxLack | null;
  /** Commands that can change nothing ask too. */
  readonly asksBeforeCommands: boolean;
}

const IN_SANDBOX = [
  'Steward can change files here, commit them, and run commands that can’t leave the folder. Each change is listed, and can be undone unless the list says otherwise.',
  'It still asks before a command connects to a host that you haven’t named, for anything else, for secret files and for files that programs obey (Git’s hooks, .vscode, …).',
] as const;
const EDITS_ALONE = [
  'Steward can change files here. Each change is listed, and can be undone unless the list says otherwise.',
  'It still asks for commands, because they can’t be held in a sandbox, for anything else, for secret files and for files that programs obey (.git, .vscode, …).',
] as const;

/** What working freely in a folder allows and what it doesn't, one sentence each. */
export function freedomText(holdsCommands: boolean): readonly [string, string] {
  return holdsCommands ? IN_SANDBOX : EDITS_ALONE;
}
