import type { Access } from './accesses/access-kinds.ts';
import type { AccountAccess, EventDetails } from './accesses/account.ts';
import type { InvitationAccess } from './accesses/invitation.ts';
import type { MailAccess } from './accesses/mail.ts';
import type { DiffPreview } from './diff-preview.ts';

export type { AccessClass } from '../../src-preload/contract/access-class.ts';
export type { Access, TouchedAccess } from './accesses/access-kinds.ts';
export type { AccountAccess, EventDetails } from './accesses/account.ts';
export type { CommandAccess } from './accesses/command.ts';
export type { FileAccess } from './accesses/file.ts';
export type { InvitationAccess } from './accesses/invitation.ts';
export type { MailAccess } from './accesses/mail.ts';
export type { McpAccess } from './accesses/mcp.ts';

/** Whether this is an entry in the user's calendar whose details are known. */
export function isEvent(access: Access): access is AccountAccess & { readonly event: EventDetails } {
  return access.kind === 'account' && access.event !== undefined;
}

/** Whether this reaches other people. */
export function isMessage(access: Access): access is MailAccess | InvitationAccess {
  return access.kind === 'mail' || access.kind === 'invitation';
}

/** Whether this is opened on the user's screen and its content is not given to the model. */
export function isForUser(access: Access): boolean {
  return (access.kind === 'file' || access.kind === 'command') && access.isForUser === true;
}

/** What the user is shown in addition to the arguments and accesses. */
export type Preview =
  | DiffPreview
  /**
   * `isShort` text usually has one line and is shown beside its title. `isBody` is the text of a mail, which needs no
   * title.
   */
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly text: string;
      readonly isShort?: true;
      readonly isBody?: true;
    };

/** The effects of one exact call. */
export interface CallEffects {
  readonly access: readonly Access[];
  readonly previews?: readonly Preview[];
  /**
   * The hash of everything outside the arguments that the answer depends on, such as a file before its change. An
   * answer is bound to it: if a program rewrites the file while the question is open, the yes doesn't cover that and
   * the user is asked again.
   */
  readonly beforeImage?: string;
}
