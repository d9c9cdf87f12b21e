import { randomUUID } from 'node:crypto';
import type { McpClass } from '../access.ts';
import type { ConsentPort } from '../consent.ts';
import type { QuestionQueues } from '../question-queues.ts';
import {
  type AcceptedListing,
  compareListing,
  type DefinitionChange,
  type PinnedText,
  pinnedTexts,
  type ServerListing,
  type ToolDefinition,
} from './definitions.ts';
import type { ClassChoice } from './tool-class.ts';

/** Where accepted texts are kept, by server. Implemented by storage. */
export interface DefinitionStore {
  list(server: string): readonly PinnedText[];
  /** Each takes the place of the one of the same kind and name. */
  accept(server: string, texts: readonly PinnedText[]): void;
  forget(server: string): void;
  /** Of which something is kept. */
  servers(): readonly string[];
}

export interface PinnedDefinitionsPorts {
  readonly store: DefinitionStore;
  readonly consent: ConsentPort;
  /** Shared with everything else that asks the same person. */
  readonly questions: QuestionQueues;
}

/** What a person may say of a server's tools when they review them. */
export interface ClassChoices {
  /** By the tool's name; `undefined`: it is known, and not theirs to say. */
  of(tool: ToolDefinition): ClassChoice | undefined;
  /** What they chose, where it differs from what they said before; `null`: to be asked. */
  keep(chosen: Readonly<Record<string, McpClass | null>>): Promise<void>;
}

/**
 * What servers say of their tools, as a person has seen it. A tool that came later, or says something else by now, is out until
 * they have seen it too. Source: design section 4 ("Pinned MCP definitions").
 */
export class PinnedDefinitions {
  readonly #ports: PinnedDefinitionsPorts;
  readonly #listeners = new Set<() => void>();

  constructor(ports: PinnedDefinitionsPorts) {
    this.#ports = ports;
  }

  /** Told when something was accepted or forgotten. Returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Which tools of a listing may be offered now. Asks nobody. */
  acceptedTools<Tool extends ToolDefinition>(server: string, listed: ServerListing<Tool>): AcceptedListing<Tool> {
    return compareListing(listed, this.#ports.store.list(server));
  }

  /**
   * Shows a person what they have not seen of a listing, and gives what may be offered after that. Under `--approve all` the flag
   * answers for a server's first listing, and never for what became of it. Rejects with the signal's reason when aborted.
   */
  async review<Tool extends ToolDefinition>(
    server: string,
    listed: ServerListing<Tool>,
    signal: AbortSignal,
    choices?: ClassChoices,
  ): Promise<AcceptedListing<Tool>> {
    const { consent, questions } = this.#ports;
    let chosen: Parameters<ClassChoices['keep']>[0] | undefined;
    await questions.run({ conversationId: null, askedFor: 'person' }, signal, async () => {
      // Somebody may have looked at it while others were asked.
      const { unseen } = this.acceptedTools(server, listed);
      if (unseen.length === 0) return;
      const isFirst = this.#ports.store.list(server).length === 0;
      const changes = choices === undefined ? unseen : withChoices(unseen, listed, choices);
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
      this.#tell();
    });
    // Not while the queue waits for this question: keeping them may be another one.
    if (chosen !== undefined) await choices?.keep(chosen);
    return this.acceptedTools(server, listed);
  }

  /** A person has seen exactly this, in the question by which they confirmed the server. */
  accept(server: string, seen: ServerListing): void {
    this.#ports.store.accept(server, pinnedTexts(seen));
    this.#tell();
  }

  /** The server was removed: if it comes back, all of it is new. */
  forget(server: string): void {
    this.#ports.store.forget(server);
    this.#tell();
  }

  /** Forgets every server that config.json no longer names. */
  forgetRemoved(named: ReadonlySet<string>): void {
    for (const server of this.#ports.store.servers()) if (!named.has(server)) this.forget(server);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function withChoices(
  changes: readonly DefinitionChange[],
  { tools }: ServerListing,
  choices: ClassChoices,
): readonly DefinitionChange[] {
  return changes.map((change) => {
    const tool = change.now.kind === 'tool' ? tools.find(({ name }) => name === change.now.name) : undefined;
    const choice = tool && choices.of(tool);
    return choice === undefined ? change : { ...change, choice };
  });
}
