import type { AccessKind, TouchedKind } from './access-kind.ts';
import { type AccountAccess, accountKind } from './account.ts';
import { type AppAccess, appKind } from './app.ts';
import { type ClientAccess, clientKind } from './client.ts';
import { type ClipboardAccess, clipboardKind } from './clipboard.ts';
import { type CommandAccess, commandKind } from './command.ts';
import { type ConnectionAccess, connectionKind } from './connection.ts';
import { type FileAccess, fileKind } from './file.ts';
import { type InvitationAccess, invitationKind } from './invitation.ts';
import { type MailAccess, mailKind } from './mail.ts';
import { type McpAccess, mcpKind } from './mcp.ts';
import { type NetworkAccess, requestKind } from './request.ts';
import { type VariableAccess, variableKind } from './variable.ts';

/** What a call can touch. A new kind needs a file beside this one, a member here, and its line below. */
export type Access =
  | FileAccess
  | CommandAccess
  | NetworkAccess
  | ConnectionAccess
  | MailAccess
  | InvitationAccess
  | AppAccess
  | VariableAccess
  | AccountAccess
  | McpAccess
  | ClientAccess
  | ClipboardAccess;

type Kind = Access['kind'];

/** Commands are shown as separate parts. */
export type TouchedAccess = Exclude<Access, CommandAccess>;

const TOUCHED_KINDS = {
  file: fileKind,
  request: requestKind,
  connection: connectionKind,
  mail: mailKind,
  invitation: invitationKind,
  app: appKind,
  variable: variableKind,
  account: accountKind,
  mcp: mcpKind,
  client: clientKind,
  clipboard: clipboardKind,
} satisfies { readonly [K in TouchedAccess['kind']]: TouchedKind<Extract<Access, { kind: K }>> };

const KINDS = { ...TOUCHED_KINDS, command: commandKind } satisfies {
  readonly [K in Kind]: AccessKind<Extract<Access, { kind: K }>>;
};

export function kindOf(access: Access): AccessKind<Access> {
  return KINDS[access.kind];
}

export function touchedKindOf(access: TouchedAccess): TouchedKind<TouchedAccess> {
  return TOUCHED_KINDS[access.kind];
}
