import { randomUUID } from 'node:crypto';
import { Listeners } from '../../base/listeners.ts';
import type { ConsentPort } from '../consent.ts';
import type { QuestionQueues } from '../question-queues.ts';
import { findingsIn } from './definition-findings.ts';
import {
  type AcceptedListing,
  compareListing,
  type DefinitionChange,
  type PinnedText,
  pinnedTexts,
  type ServerListing,
  type ToolDefinition,
} from './definitions.ts';
import type { McpClass } from './mcp-class.ts';
import type { ClassChoice } from './tool-class.ts';

/** Stores accepted texts by server. Storage implements it. */
export interface DefinitionStore {
  list(server: string): readonly PinnedText[];
  /** Stores texts, each of which replaces the one of the same kind and name. */
  accept(server: string, texts: readonly PinnedText[]): void;
  forget(server: string): void;
  /** The servers with stored texts. */
  servers(): readonly string[];
}

export interface PinnedDefinitionsPorts {
  readonly store: DefinitionStore;
  readonly consent: ConsentPort;
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** The facts that a review of one server needs besides its definitions. */
export interface ReviewFacts {
  /** The choice of class for a tool, or undefined if the tool is known, so that there is nothing to choose. */
  choiceOf(tool: ToolDefinition): ClassChoice | undefined;
  /** The names of tools that are not this server's. If one of them is mentioned, it may be misused. */
  readonly otherTools: readonly string[];
  /** Keeps what the user chose, where it differs from their previous choice. Null means to ask. */
  keep(chosen: Readonly<Record<string, McpClass | null>>): Promise<void>;
}

/**
 * The tool definitions of servers, as reviewed by the user. A new or changed tool is left out until it has been
 * reviewed. Source: design section 4 ("Pinned MCP definitions").
 */
export class PinnedDefinitions {
  readonly #ports: PinnedDefinitionsPorts;
  readonly #listeners = new Listeners();

  constructor(ports: PinnedDefinitionsPorts) {
    this.#ports = ports;
  }

  /** Calls the listener when something was accepted or forgotten. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The tools of a listing that may be offered now. It asks no one. */
  acceptedTools<Tool extends ToolDefinition>(server: string, listed: ServerListing<Tool>): AcceptedListing<Tool> {
    return compareListing(listed, this.#ports.store.list(server));
  }

  /**
   * Shows the user what is unreviewed in a listing, and returns what may be offered afterwards. Under `--approve all`
   * the flag accepts a server's first listing, but never a later change. Rejects with the signal's reason when aborted.
   */
  async review<Tool extends ToolDefinition>(
    server: string,
    listed: ServerListing<Tool>,
    signal: AbortSignal,
    facts?: ReviewFacts,
  ): Promise<AcceptedListing<Tool>> {
    const { consent, questions } = this.#ports;
    let chosen: Parameters<ReviewFacts['keep']>[0] | undefined;
    await questions.run({ conversationId: null, askedFor: 'user' }, signal, async () => {
      // The definitions may have been reviewed while this question was queued.
      const { unseen } = this.acceptedTools(server, listed);
      if (unseen.length === 0) return;
      const isFirst = this.#ports.store.list(server).length === 0;
      const findings = await findingsIn(unseen, listed, facts?.otherTools ?? []);
      const changes = unseen.map((change, index) => ({
        ...change,
        findings: findings[index] ?? [],
        ...choiceFor(change, facts),
      }));
      const request = { kind: 'definitions', id: randomUUID(), server, changes, isFirst } as const;
      const reason = { code: 'mcp_definitions', server, isFirst } as const;
      const answer = await consent.ask({ ...request, reason }, signal);
      signal.throwIfAborted();
      if (answer.answer !== 'allow') return;
      this.#ports.store.accept(
        server,
        unseen.map(({ now }) => now),
      );
      if (answer.scope === 'once') chosen = answer.classes;
      this.#listeners.tell();
    });
    // The choices are stored after the question has left the queue, because storing them may ask another one.
    if (chosen !== undefined) await facts?.keep(chosen);
    return this.acceptedTools(server, listed);
  }

  /** Accepts a listing that the user saw, exactly like this, in the question by which they confirmed the server. */
  accept(server: string, seen: ServerListing): void {
    this.#ports.store.accept(server, pinnedTexts(seen));
    this.#listeners.tell();
  }

  /** Forgets a server that was removed. If it comes back, everything is new. */
  forget(server: string): void {
    this.#ports.store.forget(server);
    this.#listeners.tell();
  }

  /** Forgets every server that config.json no longer names. */
  forgetRemoved(named: ReadonlySet<string>): void {
    for (const server of this.#ports.store.servers()) if (!named.has(server)) this.forget(server);
  }
}

function choiceFor({ tool }: DefinitionChange, facts: ReviewFacts | undefined): Pick<DefinitionChange, 'choice'> {
  const choice = tool && facts?.choiceOf(tool);
  return choice === undefined ? {} : { choice };
}
