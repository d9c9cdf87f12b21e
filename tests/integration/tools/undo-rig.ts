import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { FileReview } from '../../../src-main/assistant/review/file-review.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { heldByGit } from '../../../src-main/assistant/undo/held-by-git.ts';
import { Undo, type UndoChoice, type UndoOutcome } from '../../../src-main/assistant/undo/undo.ts';
import { Checkpoints } from '../../../src-main/checkpoints/checkpoints.ts';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import type { HttpClient } from '../../../src-main/network/http.ts';
import type { ConsentPort, UndoConsentRequest } from '../../../src-main/policy/consent.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import { Roots } from '../../../src-main/policy/roots.ts';
import type { RuleMatcher } from '../../../src-main/policy/rules.ts';
import { openStorage, type Storage } from '../../../src-main/storage/storage.ts';
import { readOnly } from '../../../src-main/tools/files/change-recorder.ts';
import { WorkspaceFiles } from '../../../src-main/tools/files/workspace-files.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { ShownChange } from '../../../src-preload/contract/conversations.ts';
import type { ConversationEvent, EventOf, LiveEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';
import { gateWith, never, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { noSecrets } from '../../fixtures/no-secrets.ts';
import { type HarnessOptions, ToolHarness } from '../../fixtures/tool-harness.ts';

/** A call; its id is how tests name it. */
export type Call = readonly [id: string, name: string, input: Record<string, unknown>];

/** Real tools, real files, a real database, and a user who is asked before anything is undone. */
export class UndoRig {
  readonly harness: ToolHarness;
  readonly storage: Storage;
  readonly conversationId: string;
  /** What the user does when asked; yes unless told. */
  onAsked: (request: UndoConsentRequest) => ReturnType<ConsentPort['ask']> = async () => yesOnce;
  readonly user = new User((request) => {
    if (request.kind !== 'undo') throw new TypeError(`asked about ${request.kind}`);
    return this.onAsked(request);
  });
  readonly heard: StoredEvent[] = [];
  /** Who allows the calls. */
  allows: ConsentPort = flagConsent('all');
  /** Rules in effect. */
  rules: readonly RuleMatcher[] = [];
  /** What leads to the internet, if that matters. */
  http: HttpClient | undefined;
  readonly checkpoints: Checkpoints;
  readonly #review: FileReview;
  #files: WorkspaceFiles;

  private constructor(harness: ToolHarness, storage: Storage) {
    this.harness = harness;
    this.storage = storage;
    this.#files = harness.environment.files;
    this.checkpoints = new Checkpoints(join(harness.base, 'profile'), {
      ...storage,
      limits: () => KEPT_LIMITS,
      heldByGit: (files) => heldByGit(files, harness.environment),
      maxWaitMs: 60_000,
    });
    const places = { files: () => this.#files, roots: () => [harness.workspace] };
    this.#review = new FileReview({ ...storage, ...places, consent: this.user, questions: new QuestionQueues() });
    this.conversationId = storage.conversations.create({ workspace: harness.workspace, model: 'guide' }).id;
  }

  static async start(options: Partial<HarnessOptions> = {}): Promise<UndoRig> {
    const harness = new ToolHarness({ consent: allowAll, ...options });
    const storage = await openStorage({ directory: join(harness.base, 'profile') });
    const rig = new UndoRig(harness, storage);
    onTestFinished(async () => {
      rig.checkpoints.close();
      await storage.close();
      await harness.dispose();
    });
    return rig;
  }

  /** Runs calls, one after the other, as one turn of the model; gives the turn's id. */
  async turn(...calls: readonly Call[]): Promise<string> {
    const turnId = randomUUID();
    const { registry, environment, workspace } = this.harness;
    const log = new ConversationLog(this.storage.events, this.conversationId, turnId, () => undefined);
    const { gate, rules } = gateWith(this.allows, { realWorkspace: workspace });
    for (const matcher of this.rules) rules.add({ label: matcher.kind, tool: null, matcher }, null);
    const { beforeImages } = this.storage;
    const { checkpoints } = this;
    const kept = { beforeImages, provenance: this.#review, knownSecrets: noSecrets(), checkpoints };
    const services = {
      tools: new ConversationToolset({ registry }),
      gate,
      environment: { ...environment, http: this.http ?? environment.http },
      maxResultChars: 40_000,
      askedModels: undefined,
      ...kept,
    };
    for (const [id, name, input] of calls)
      await new ToolCalls(services, log, 'model', never).run([{ id, name, input }]);
    log.append({ type: 'turn_end', stopReason: 'end_turn' });
    return turnId;
  }

  undoTurn(turnId: string): Promise<UndoOutcome> {
    return this.undo({ turnId, callId: null });
  }

  undoCall(callId: string): Promise<UndoOutcome> {
    return this.undo({ turnId: null, callId });
  }

  undo(choice: Omit<UndoChoice, 'conversationId'>, signal = never): Promise<UndoOutcome> {
    return this.#undoing().run({ conversationId: this.conversationId, ...choice }, this.#surface(signal));
  }

  redo(callId: string | null): Promise<UndoOutcome> {
    return this.#undoing().redo({ conversationId: this.conversationId, callId }, this.#surface(never));
  }

  changeOf(callId: string, path: string): Promise<ShownChange> {
    return this.#undoing().changeOf({ conversationId: this.conversationId, callId, path });
  }

  #undoing(): Undo {
    const { harness, storage, checkpoints, user: consent } = this;
    const services = {
      ...storage,
      checkpoints,
      review: this.#review,
      registry: harness.registry,
      files: () => this.#files,
      knownSecrets: () => noSecrets(),
    };
    return new Undo({ ...services, consent, questions: new QuestionQueues() });
  }

  #surface(signal: AbortSignal) {
    return {
      signal,
      listener: (event: StoredEvent | LiveEvent) => {
        if ('seq' in event) this.heard.push(event);
      },
    };
  }

  /** From now on the workspace is the only root. */
  grantNothing(): void {
    const { workspace, base } = this.harness;
    const profileDirectory = join(base, 'profile');
    this.#files = new WorkspaceFiles({
      roots: new Roots({ workspace, folders: [], profileDirectory }),
      readWalkUp: true,
      recorder: readOnly,
    });
  }

  path(name: string): string {
    return join(this.harness.workspace, name);
  }

  /** The questions that the user was asked. */
  get asked(): readonly UndoConsentRequest[] {
    return this.user.asked.filter((request): request is UndoConsentRequest => request.kind === 'undo');
  }

  events<T extends ConversationEvent['type']>(type: T): (StoredEvent & EventOf<T>)[] {
    return this.storage.events
      .read(this.conversationId)
      .filter((event): event is StoredEvent & EventOf<T> => event.type === type);
  }
}

export const write = (id: string, path: string, content: string): Call => [id, 'write_file', { path, content }];
export const append = (id: string, path: string, content: string): Call => [id, 'append_file', { path, content }];
