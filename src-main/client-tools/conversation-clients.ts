import type { ClientHost, HostResponse, RunInput } from './records.ts';

/** Nothing was registered. `message` is for the client, as in tool catalogue D.2.2. */
export class ClientRegistrationError extends Error {
  override readonly name = 'ClientRegistrationError';
  /** The group that was refused. */
  readonly group: string;
  /** Completes the message. */
  readonly reason: string;

  constructor(group: string, reason: string) {
    super(`Client tool registration failed: ${group}: ${reason}`);
    this.group = group;
    this.reason = reason;
  }
}

/** The clients of one conversation. */
export interface ConversationClients {
  /**
   * Validates everything, then commits it; rejects with `ClientRegistrationError`, and nothing is registered. The
   * client is attached.
   */
  register(input: RunInput, host: ClientHost): Promise<{ readonly groups: readonly string[] }>;
  /**
   * Calls of the groups that a client of this name registered before go to this one: after a reconnect, or in a later
   * turn without a run input.
   */
  attach(host: ClientHost): void;
  /** An answer of a host, in any order; unknown, duplicate and late ones are ignored and logged. */
  answer(response: HostResponse, host: ClientHost): void;
  /** The host is gone, as at a disconnect (tool catalogue D.5). Its groups stay registered. */
  disconnected(host: ClientHost): void;
}

/** The clients of all conversations. */
export interface Clients {
  of(conversationId: string): ConversationClients;
  /** Called when the conversation was deleted. */
  close(conversationId: string): void;
  /** Nothing that a program of this pairing brought is kept, in no conversation. `pairing` is a UUID. */
  forget(pairing: string): void;
}
