import type { ProgramInConversation } from '../../../src-preload/contract/programs.ts';
import { type ClientConversation, CURRENT, type OpenConversation } from '../../client-tools/protocol/client-session.ts';
import { ClientSocket } from '../../client-tools/socket/client-socket.ts';
import type { ConsentPort } from '../../policy/consent.ts';
import { confirmPairing } from '../../policy/pairing-consent.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import type { BackgroundPart, ProfilePart, SettingsPart, ToolsPart } from '../../services.ts';

export interface WindowProgramsOptions {
  readonly services: ProfilePart & SettingsPart & Pick<ToolsPart, 'clients'> & Pick<BackgroundPart, 'leftRunning'>;
  readonly consent: ConsentPort;
  readonly questions: QuestionQueues;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the window closes. */
  readonly signal: AbortSignal;
  /** What is shown of programs changed. */
  readonly onChange: () => void;
  readonly log: (line: string) => void;
}

type Brought = Pick<ProgramInConversation, 'name' | 'groups'>;

/** Programs may change what they bring a thousand times a second; people see this often. */
const CHANGE_EVERY_MS = 100;

/** The programs that attach to this window, as long as `clientTools.socket` is on. */
export class WindowPrograms {
  readonly socket: ClientSocket;
  readonly #options: WindowProgramsOptions;
  /** The conversation that the window shows, or showed last. */
  #shown: string | null = null;
  /** What each pairing brought to each conversation since the window was opened. */
  readonly #brought = new Map<string, Map<string, Brought>>();
  readonly #unsubscribe: () => void;
  #change: NodeJS.Timeout | undefined;

  constructor(options: WindowProgramsOptions) {
    this.#options = options;
    const { services, consent, questions, env, signal, log } = options;
    this.socket = new ClientSocket({
      profileDirectory: services.profileDirectory,
      env,
      programs: services.storage.pairedPrograms,
      forget: (id) => this.#forget(id),
      ask: (program, gone) =>
        confirmPairing(
          { ...program, running: this.#running() },
          { consent, questions },
          AbortSignal.any([gone, signal]),
        ),
      conversation: (asked) => this.#conversation(asked),
      onChange: () => this.#changed(),
      log,
    });
    this.#unsubscribe = services.onChange(() => this.#follow());
    this.#follow();
  }

  /**
   * Called with the conversation that the window now shows. It is null for none, or for another screen. Resolves once
   * the tools that follow it are there.
   */
  async shown(conversationId: string | null): Promise<void> {
    if (conversationId === null || conversationId === this.#shown) return;
    this.#shown = conversationId;
    const conversation = this.#open(conversationId);
    if (conversation !== undefined) await this.socket.currentIs(conversation);
  }

  in(conversationId: string): readonly ProgramInConversation[] {
    const connected = new Set(
      this.socket.connected.flatMap(({ id, attachments }) =>
        attachments.some((each) => each.conversationId === conversationId) ? [id] : [],
      ),
    );
    const brought = [...(this.#brought.get(conversationId) ?? [])];
    return brought.map(([id, { name, groups }]) => ({ name, groups, isConnected: connected.has(id) }));
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    clearTimeout(this.#change);
    await this.socket.setOpen(false);
    clearTimeout(this.#change);
  }

  #follow(): void {
    const { services, signal } = this.#options;
    if (!signal.aborted) void this.socket.setOpen(services.config.clientTools.socket);
  }

  #running(): readonly string[] {
    const { leftRunning } = this.#options.services;
    const left = leftRunning.list().flatMap(({ programs }) => programs.map(({ command }) => command));
    return [...new Set([...leftRunning.commands(), ...left])];
  }

  #conversation(asked: string): ClientConversation | undefined {
    if (asked !== CURRENT) return this.#open(asked) ?? { missing: `There is no conversation ${asked}.` };
    return this.#shown === null ? undefined : this.#open(this.#shown);
  }

  #open(id: string): OpenConversation | undefined {
    const { storage, clients } = this.#options.services;
    return storage.conversations.get(id) === undefined ? undefined : { id, clients: clients.of(id) };
  }

  #forget(pairing: string): void {
    for (const brought of this.#brought.values()) brought.delete(pairing);
    this.#options.services.clients.forget(pairing);
  }

  #changed(): void {
    for (const { id, name, attachments } of this.socket.connected)
      for (const { conversationId, groups } of attachments) {
        const brought = this.#brought.get(conversationId) ?? new Map<string, Brought>();
        this.#brought.set(conversationId, brought.set(id, { name, groups }));
      }
    this.#change ??= setTimeout(() => {
      this.#change = undefined;
      this.#options.onChange();
    }, CHANGE_EVERY_MS);
  }
}
