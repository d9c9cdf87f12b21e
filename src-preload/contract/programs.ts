import { z } from 'zod';
import { request } from './route.ts';

/** What a program brings to a conversation now. */
export interface ProgramAttachment {
  readonly conversationId: string;
  readonly title: string;
  /** Names of its tool groups. Untrusted. */
  readonly groups: readonly string[];
}

/** A paired program. Its name and version are its own words. */
export interface ProgramRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** ISO 8601. */
  readonly pairedAt: string;
  /** When it connected last, ISO 8601. */
  readonly lastUsedAt: string;
  /** How many connections have its token now. More than one: it may run twice, or another program has the token. */
  readonly connections: number;
  /** One for each conversation. */
  readonly attachments: readonly ProgramAttachment[];
}

/** The socket to which programs connect. It is closed when `off`. If it `failed`, `reason` says why. */
export type ProgramSocket =
  | { readonly name: 'off' }
  | { readonly name: 'listening'; readonly path: string }
  | { readonly name: 'failed'; readonly reason: string };

export interface ProgramsView {
  readonly socket: ProgramSocket;
  /** Seconds for which no new program is asked about, because the last ones were not paired; 0: none. */
  readonly pausedSeconds: number;
  /** Newest first. */
  readonly programs: readonly ProgramRow[];
}

/** A program that has brought tools to a conversation since the window was opened. */
export interface ProgramInConversation {
  readonly name: string;
  readonly groups: readonly string[];
  /** With false, the program's tools can't be used until it is back. */
  readonly isConnected: boolean;
}

export const programs = {
  list: request(z.object({})).returns<ProgramsView>(),
  /** Switching it on asks in the consent surface. */
  setOn: request(z.object({ isOn: z.boolean() })).returns<ProgramsView>(),
  /** Ends a pairing and the program's connections. */
  revoke: request(z.object({ id: z.string().max(100) })).returns<ProgramsView>(),
  /** New programs are asked about again at once. */
  endPause: request(z.object({})).returns<ProgramsView>(),
  /** The programs of a conversation. */
  inConversation: request(z.object({ conversationId: z.uuid() })).returns<readonly ProgramInConversation[]>(),
};
