import { type DecisionReason, followedLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { Access, CallEffects } from '../policy/access.ts';
import { marksOfAccess } from '../policy/access-marks.ts';
import type { BatchPlace } from '../policy/call-batch.ts';
import type { Allowed, Authorization } from '../policy/gate.ts';
import type { GateCall } from '../policy/gate-call.ts';
import { eachOnce } from '../policy/mark-sources.ts';
import { AccessDenied } from '../policy/roots.ts';
import { type Tool, type ToolContext, ToolFailure } from '../tools/contract.ts';
import { defaultedParameters, statedReason } from '../tools/registry/call-arguments.ts';
import type { PreparedCall } from '../tools/registry/prepared-call.ts';
import { type Asking, answerOf, type KnownContext, type NestedIn, type SharedByCalls } from './asked-model.ts';
import type { RequestedCall } from './bounded-call.ts';
import { decisionEvent, declinedText, filesReadBy, marksOfAssessing, reachedBy, textsReadBy } from './call-events.ts';
import { assessedInOrder, type CallPlace } from './call-order.ts';
import { CallReport } from './call-report.ts';
import { untilStopped } from './call-result.ts';
import type { CallResults } from './call-results.ts';
import type { ToolCallServices } from './call-services.ts';
import type { ConversationLog } from './conversation-log.ts';
import { NEVER_RUN_RESULT } from './history.ts';
import { TurnEndedByCall } from './turn-ended-by-call.ts';
import { CallChanges } from './undo/call-changes.ts';
import { CommandChanges, mayChangeFiles } from './undo/command-changes.ts';

/** What the calls of one message run with. */
export interface CallSurroundings {
  readonly services: ToolCallServices;
  readonly log: ConversationLog;
  readonly results: CallResults;
  /** Aborted on Stop, and when a call of the message could not be recorded, so that the others end too. */
  readonly signal: AbortSignal;
  readonly shared: SharedByCalls;
  /** Undefined if no asked model makes the calls. */
  readonly nestedIn: NestedIn | undefined;
  /** Runs the calls of an asked model. */
  readonly runNested: Asking['run'];
}

type Question<Assessed extends CallEffects> = Pick<
  GateCall<Assessed>,
  'assessed' | 'reassess' | 'asked' | 'isOfSeenLink' | 'linkedBy' | 'said' | 'defaulted'
>;

const NOT_KEPT_YET =
  'Error: What is in the folder is still being kept for undo, which takes a while the first time. Nothing was run. Try again in a minute; with sandbox "off" the user is asked.';

/** One valid call: what it would touch, whether it may, what came of it. */
export class RunningCall {
  readonly #around: CallSurroundings;
  readonly #id: string;
  /** Why the model says it makes the call. */
  readonly #said: string | undefined;
  readonly #tool: Tool;
  readonly #prepared: PreparedCall;
  readonly #known: KnownContext;
  readonly #changes: CallChanges;
  readonly #report: CallReport;
  /** The context without what the call can use only once it is allowed. */
  readonly #context: Omit<ToolContext, 'commandEnvironment' | 'onOutput' | 'askModel' | 'allowedBy'>;
  /** Undefined until it is allowed. */
  #allowedFor: DecisionReason | undefined;
  /** Senders in whose mails the requested links stand. */
  #linkedBy: readonly string[] = [];

  constructor({ id, said }: RequestedCall, prepared: PreparedCall, known: KnownContext, around: CallSurroundings) {
    const { environment, beforeImages: images, provenance, tools } = around.services;
    const { log, signal } = around;
    this.#around = around;
    this.#id = id;
    this.#said = said;
    this.#tool = prepared.tool;
    this.#prepared = prepared;
    this.#known = known;
    const { unaskedChanges } = environment;
    this.#changes = new CallChanges({ images, provenance, log, callId: id, marks: known.marks, unaskedChanges });
    this.#report = new CallReport(known.links, tools);
    this.#context = {
      ...environment,
      ...this.#report.context,
      files: environment.files.recording(this.#changes),
      signal,
      conversationId: log.conversationId,
      callId: id,
      beganAt: log.beganAt,
      marks: known.marks,
      allowAccess: (access) => this.#allowFurther([access], known),
      allowAccesses: (accesses, until) => this.#allowFurther(accesses, known, until),
      isAccessAllowed: (access) => this.#isAllowedUnasked(access),
      record: (event) => log.append(event),
    };
  }

  /** Resolves when it has its decision and its result. Rejects with `TurnEndedByCall` and with storage errors. */
  async run(place: CallPlace): Promise<void> {
    const { services, signal } = this.#around;
    // The file is read before anything is reported, so that an error about an impossible call describes the current
    // state.
    services.knownSecrets.readFolder(services.environment.workspace);
    let assessed: CallEffects;
    let hasWaited: boolean;
    try {
      signal.throwIfAborted();
      assessed = await assessedInOrder(() => this.#assess(), place);
      hasWaited = await place.turn(assessed.access);
    } catch (error) {
      this.#endUndecided(error);
      return;
    }
    await place.whileWriting(assessed.access, async (waited) => {
      const assess = async () => (waited || hasWaited ? this.#assess() : assessed);
      const allowed = await this.#decide(assess, place.questions);
      const { unaskedChanges } = services.environment;
      if (allowed?.by === 'grant') {
        const places = grantedPlaces(allowed.approved.access);
        await unaskedChanges.during(places, () => this.#execute(allowed));
      } else if (allowed !== undefined) await this.#execute(allowed);
    });
  }

  #assess(): Promise<CallEffects> {
    return this.#prepared.assess(this.#context);
  }

  /** Commits the decision. Resolves with undefined if the call is not allowed, or was stopped, and has its result. */
  async #decide(assess: () => Promise<CallEffects>, place: BatchPlace): Promise<Allowed<CallEffects> | undefined> {
    const { services, log, results } = this.#around;
    const prepared = this.#prepared;
    let authorization: Authorization<CallEffects>;
    try {
      const question = {
        assessed: await assess(),
        reassess: () => this.#assess(),
        asked: this.#tool.words?.asked,
        isOfSeenLink: false,
        said: statedReason(prepared) ?? this.#said,
        defaulted: defaultedParameters(this.#tool, prepared.input),
      };
      authorization = await this.#authorize(question, this.#known, place);
    } catch (error) {
      this.#endUndecided(error);
      return undefined;
    }
    log.append(services.knownSecrets.redactIn(decisionEvent(this.#id, authorization)));
    if (authorization.answer === 'allow') return authorization;
    const text = declinedText(authorization, prepared.declinedText);
    results.commit(this.#id, this.#tool, { text, isError: true }, { outcome: 'declined' });
    return undefined;
  }

  async #execute(allowed: Allowed<CallEffects>): Promise<void> {
    const { services, log, results, signal } = this.#around;
    const { knownSecrets, environment, provenance } = services;
    const { access } = allowed.approved;
    this.#allowedFor = allowed.reason;
    this.#linkedBy = access.flatMap((each) =>
      each.kind === 'request' ? this.#known.links.inMails(each.url).map(({ sender }) => sender) : [],
    );
    this.#changes.allowed(allowed);
    const readFiles = filesReadBy(access);
    for (const path of readFiles) knownSecrets.readFile(path);
    // A program that runs there may print their content.
    for (const each of access) if (each.kind === 'command') knownSecrets.readFolder(each.directory);
    const commandChanges = mayChangeFiles(access) ? await this.#beginCommand(access) : undefined;
    // What runs without a question can be undone.
    if (allowed.by === 'grant' && commandChanges?.isListed === false) {
      this.#changes.close();
      results.commit(this.#id, this.#tool, { text: NOT_KEPT_YET, isError: true }, { outcome: 'failed' });
      await commandChanges.end({ hasRun: false });
      return;
    }
    const output = knownSecrets.live((chunk) => log.show({ type: 'tool_output', id: this.#id, chunk }));
    const startedAt = performance.now();
    const executing = this.#prepared.execute(
      allowed,
      this.#allowedContext(allowed, (chunk) => output.push(chunk)),
    );
    // A call that asks a model ends soon after its model and the calls inside it, and nothing inside may end after it.
    const result = this.#tool.asksModel ? await executing : await untilStopped(executing, signal);
    this.#changes.close();
    output.end();
    const elapsedMs = Math.round(performance.now() - startedAt);
    const ofAccess = marksOfAccess(reachedBy(result, access), (real) => environment.files.shownPath(real));
    const ofTexts = provenance.marksOf(textsReadBy(result, access));
    results.commit(this.#id, this.#tool, result, {
      ...this.#report.details,
      marks: eachOnce([...ofAccess, ...this.#report.marks, ...ofTexts]),
      elapsedMs,
      changed: this.#changes.changed,
      readFiles,
    });
    // Nobody saw the command before it ran, so nobody knows that what it fetched is in those files.
    const brought = allowed.by === 'grant' ? this.#report.marks : [];
    const mayHaveChanged = await commandChanges?.end({ hasRun: true, brought });
    if (mayHaveChanged === true && allowed.by !== 'user')
      environment.unaskedChanges.add(allowed.by === 'grant' ? grantedPlaces(access) : environment.files.realRoots);
    // The other calls of the message end too.
    if (result.endsTurn !== undefined) throw new TurnEndedByCall(result.endsTurn);
  }

  #beginCommand(access: readonly Access[]): Promise<CommandChanges> {
    const { services, log } = this.#around;
    const { checkpoints, provenance, environment } = services;
    const marks = eachOnce([...this.#known.marks, ...provenance.marksOf(access)]);
    const roots = environment.files.realRoots;
    return CommandChanges.begin({ checkpoints, provenance, log, callId: this.#id, marks, roots });
  }

  #allowedContext(allowed: Allowed<CallEffects>, onOutput: (chunk: string) => void): ToolContext {
    const { services, log } = this.#around;
    const { access } = allowed.approved;
    return {
      ...this.#context,
      allowedBy: allowed.by,
      commandEnvironment: allowed.passesVariables === true ? this.#context.env : undefined,
      onOutput,
      onProgress: (given) => {
        const progress = services.knownSecrets.redactIn(given);
        log.show({ type: 'tool_output', id: this.#id, chunk: '', progress });
      },
      askModel: (question) =>
        answerOf(
          question,
          this.#asking((known) => this.#allowFurther(access, known)),
        ),
    };
  }

  /**
   * The call was stopped or found impossible before an answer. Rethrows anything else: an internal or storage error.
   */
  #endUndecided(error: unknown): void {
    const { results, signal } = this.#around;
    const tool = this.#tool;
    if (signal.aborted) {
      results.refuse(this.#id, tool, { reason: { code: 'stopped' }, text: NEVER_RUN_RESULT, outcome: 'stopped' });
    } else if (error instanceof AccessDenied) {
      const { message: text, folder: grantableFolder } = error;
      const reason = { code: 'outside_roots' } as const;
      results.refuse(this.#id, tool, { reason, text, outcome: 'declined', grantableFolder });
    } else if (error instanceof ToolFailure) {
      const marks = marksOfAssessing(tool, error);
      const reason = { code: 'impossible' } as const;
      results.refuse(this.#id, tool, { reason, text: error.message, outcome: 'failed', marks });
    } else {
      throw error;
    }
  }

  #authorize<Assessed extends CallEffects>(
    question: Question<Assessed>,
    known: KnownContext,
    place?: BatchPlace,
    until: AbortSignal = this.#around.signal,
  ): Promise<Authorization<Assessed>> {
    return this.#around.services.gate.authorize(this.#gateCall(question, known), until, place);
  }

  #gateCall<Assessed extends CallEffects>(question: Question<Assessed>, known: KnownContext): GateCall<Assessed> {
    const { services, log, nestedIn } = this.#around;
    const tool = this.#tool;
    return {
      tool: tool.name,
      declaredClass: tool.access,
      asksModel: services.tools.asksModel(tool),
      conversationId: log.conversationId,
      input: this.#prepared.input,
      askedBy: nestedIn?.askedBy,
      ...question,
      ...known,
    };
  }

  /**
   * Accesses that came up while the call ran, or that something it read puts in question again. They get no separate
   * decision in the log: the call has one.
   */
  async #allowFurther(access: readonly Access[], known: KnownContext, until?: AbortSignal): Promise<void> {
    const { signal } = this.#around;
    const within = until === undefined ? signal : AbortSignal.any([signal, until]);
    const authorization = await this.#authorize(this.#further(access), known, undefined, within);
    if (authorization.answer === 'deny') throw new ToolFailure(authorization.text, { outcome: 'declined' });
  }

  async #isAllowedUnasked(access: Access): Promise<boolean> {
    const { services, signal } = this.#around;
    const call = this.#gateCall(this.#further([access]), this.#known);
    return (await services.gate.authorizeUnasked(call, signal))?.answer === 'allow';
  }

  #further(access: readonly Access[]): Question<CallEffects> {
    const effects: CallEffects = { access };
    const followed = this.#allowedFor === undefined ? [] : followedLinksIn(this.#allowedFor);
    const isOfSeenLink = followed.some(({ code }) => code === 'seen_link');
    // The title of any other call says what this access is.
    const asked = this.#tool.asksModel ? this.#tool.words?.asked : undefined;
    return { assessed: effects, reassess: async () => effects, asked, isOfSeenLink, linkedBy: this.#linkedBy };
  }

  #asking(authorize: Asking['authorize']): Asking {
    const { services, log, shared, signal, nestedIn, runNested } = this.#around;
    return {
      id: this.#id,
      tool: this.#tool,
      known: this.#known,
      marks: this.#report.marks,
      // A model that was asked can't ask another.
      models: nestedIn === undefined ? services.askedModels : undefined,
      tools: services.tools,
      log,
      shared,
      signal,
      authorize,
      run: runNested,
    };
  }
}

/** What a call under a grant to work freely can change, as real paths. */
function grantedPlaces(access: CallEffects['access']): readonly string[] {
  return access.flatMap((each) => {
    if (each.kind === 'file') return [each.path];
    return each.kind === 'command' && each.heldIn !== undefined ? [each.heldIn] : [];
  });
}
