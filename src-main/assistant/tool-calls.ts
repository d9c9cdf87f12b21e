import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { type DecisionReason, seenLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { CalledBy, CallOutcome, EventOf, Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { type Access, type CallEffects, isForUser } from '../policy/access.ts';
import { marksOfAccess } from '../policy/access-marks.ts';
import type { BatchPlace } from '../policy/call-batch.ts';
import type { Authorization } from '../policy/gate.ts';
import type { GateCall } from '../policy/gate-call.ts';
import { eachOnce } from '../policy/mark-sources.ts';
import { AccessDenied } from '../policy/roots.ts';
import { type Tool, type ToolContext, ToolFailure, type ToolInput, type ToolResult } from '../tools/contract.ts';
import { defaultedParameters, statedReason } from '../tools/registry/call-arguments.ts';
import type { GroupOpening } from '../tools/registry/group-opening.ts';
import type { PreparedCall } from '../tools/registry/prepared-call.ts';
import { type Asking, answerOf, type KnownContext, type NestedIn, type SharedByCalls } from './asked-model.ts';
import type { RequestedCall } from './bounded-call.ts';
import { asRecord, decisionEvent, declinedText, foundNothing, marksOfAssessing, reachedBy } from './call-events.ts';
import { assessedInOrder, CallOrder, type CallPlace } from './call-order.ts';
import { type ResultDetails, resultEvent, untilStopped } from './call-result.ts';
import type { ToolCallServices } from './call-services.ts';
import type { ConversationLog } from './conversation-log.ts';
import { NEVER_RUN_RESULT } from './history.ts';
import { PathLocks } from './path-locks.ts';
import { TurnEndedByCall } from './turn-ended-by-call.ts';
import { CallChanges } from './undo/call-changes.ts';

/** Enough for every real batch; a message with hundreds of calls must not start hundreds of processes at once. */
const CONCURRENT_CALLS = 32;

interface AnnouncedCall {
  readonly event: EventOf<'tool_call'>;
  start(known: KnownContext, place: CallPlace): Promise<void>;
}

/** Runs the calls of one assistant message: validate, ask the policy, execute, commit the result. */
export class ToolCalls {
  readonly #services: ToolCallServices;
  readonly #log: ConversationLog;
  readonly #calledBy: CalledBy;
  /** Aborted on Stop, and when a call of the batch could not be recorded, so that the others end too. */
  readonly #signal: AbortSignal;
  readonly #fault = new AbortController();
  readonly #nestedIn: NestedIn | undefined;
  readonly #shared: SharedByCalls;

  constructor(
    services: ToolCallServices,
    log: ConversationLog,
    calledBy: CalledBy,
    signal: AbortSignal,
    nestedIn?: NestedIn,
  ) {
    this.#services = services;
    this.#log = log;
    this.#calledBy = calledBy;
    this.#nestedIn = nestedIn;
    this.#shared = nestedIn?.shared ?? { nestedSlots: pLimit(CONCURRENT_CALLS), locks: new PathLocks() };
    this.#signal = AbortSignal.any([signal, this.#fault.signal]);
    // Every call of a batch listens to it several times. That is not a leak, but Node would warn about one.
    setMaxListeners(0, this.#signal);
  }

  /**
   * Resolves when each call has its decision and its result. Rejects with `TurnEndedByCall` and with storage errors
   * once all calls have ended: nothing may be appended after the turn has ended.
   */
  async run(calls: readonly RequestedCall[]): Promise<void> {
    const limit = this.#nestedIn === undefined ? pLimit(CONCURRENT_CALLS) : this.#shared.nestedSlots;
    const known = this.#nestedIn?.known() ?? {
      marks: this.#log.marks(),
      outside: this.#log.outside(),
      ...this.#log.addresses().forCalls(),
    };
    const announced = calls.map((call) => this.#announce(call));
    this.#log.appendAll(announced.map(({ event }) => event));
    // Shared slots may be taken: no question may wait for a call that has none yet.
    const atOnce = this.#nestedIn === undefined ? CONCURRENT_CALLS : 0;
    const order = new CallOrder(announced.length, atOnce, this.#shared.locks);
    const running = announced
      .map(({ start }, index) => limit(() => order.run(index, (place) => start(known, place))))
      .map((call) =>
        call.catch((error: unknown) => {
          this.#fault.abort(error);
          throw error;
        }),
      );
    for (const outcome of await Promise.allSettled(running)) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Commits the calls, in the model's order, before any of them starts. */
  #announce(call: RequestedCall): AnnouncedCall {
    const { tools } = this.#services;
    if (call.invalidInput !== undefined) {
      const { reason } = call.invalidInput;
      const tool = tools.get(call.name);
      return this.#refuse(call, tool, {}, { code: 'invalid_json' }, `Error: Invalid JSON parameters: ${reason}`);
    }
    const prepared = tools.prepare(call.name, call.input);
    if (!prepared.ok)
      return this.#refuse(
        call,
        prepared.tool,
        asRecord(call.input),
        this.#whyRefused(call.name, prepared.tool),
        prepared.text,
        prepared.opening,
      );
    const { tool, input } = prepared.call;
    return {
      // What a server or program is sent; of our own tools as the model sent it: the gate shows the parsed input and
      // binds the answer to that.
      event: this.#callEvent(call.id, tool.name, tool.isForwarded === true ? input : asRecord(call.input)),
      start: (known, place) => this.#runOne(call, prepared.call, known, place),
    };
  }

  #refuse(
    call: RequestedCall,
    tool: Tool | undefined,
    input: ToolInput,
    reason: DecisionReason,
    text: string,
    opening?: GroupOpening,
  ): AnnouncedCall {
    return {
      event: this.#callEvent(call.id, tool?.name ?? call.name, input),
      start: async () => {
        const result = opening === undefined ? text : `${opening.open()}\n\n${text}`;
        this.#deny(call.id, tool, reason, { text: result, outcome: 'failed', marks: opening?.marks ?? [] });
      },
    };
  }

  #callEvent(id: string, name: string, input: ToolInput): EventOf<'tool_call'> {
    const { tools } = this.#services;
    const tool = tools.get(name);
    const asks = tool !== undefined && tools.asksModel(tool) ? tool.asks : undefined;
    return {
      type: 'tool_call',
      id,
      name,
      input,
      calledBy: this.#calledBy,
      words: tools.words(name, input),
      ...(this.#nestedIn === undefined ? {} : { inside: this.#nestedIn.callId }),
      ...(asks === undefined ? {} : { asks }),
    };
  }

  #whyRefused(called: string, tool: Tool | undefined): DecisionReason {
    const { tools } = this.#services;
    if (tool === undefined) {
      const closed = tools.missing(called);
      return closed === undefined ? { code: 'unknown_tool' } : { code: 'tool_unavailable', needs: closed.needs };
    }
    return { code: tools.isEnabled(tool) ? 'invalid_input' : 'tool_disabled' };
  }

  #deny(
    id: string,
    tool: Tool | undefined,
    reason: DecisionReason,
    { text, ...details }: { readonly text: string; readonly outcome: CallOutcome; readonly marks?: readonly Mark[] },
    grantableFolder?: string,
  ): void {
    const grantable = grantableFolder === undefined ? {} : { grantableFolder };
    this.#log.append({ type: 'decision', id, answer: 'deny', by: 'default', reason, ...grantable });
    this.#commitResult(id, tool, { text, isError: true }, details);
  }

  async #runOne({ id, said }: RequestedCall, call: PreparedCall, known: KnownContext, place: CallPlace): Promise<void> {
    const { tool } = call;
    const marks: Mark[] = [];
    const links: string[] = [];
    const told: { card?: ToolCard; exitCode?: number; foundTools?: readonly string[] } = {};
    let allowedFor: DecisionReason | undefined;
    const { environment, beforeImages: images, provenance, knownSecrets } = this.#services;
    const changes = new CallChanges({ images, provenance, log: this.#log, callId: id, marks: known.marks });
    // Before anything is reported: an error about an impossible call describes the current state.
    knownSecrets.readFolder(environment.workspace);
    const context: Omit<ToolContext, 'commandEnvironment' | 'onOutput' | 'askModel' | 'allowedBy'> = {
      ...environment,
      files: environment.files.recording(changes),
      signal: this.#signal,
      conversationId: this.#log.conversationId,
      callId: id,
      marks: known.marks,
      allowAccess: (access) => this.#allowFurther(call, [access], known, allowedFor),
      mark: (mark) => marks.push(mark),
      links: (found, page) => {
        if (page === undefined || known.links.has(page)) links.push(...found);
      },
      exited: (exitCode) => Object.assign(told, { exitCode }),
      card: (card) => Object.assign(told, { card }),
      findTools: async (query, count) => {
        const found = await this.#services.tools.find(query, count);
        if (found.length > 0) told.foundTools = found.map(({ name }) => name);
        return found;
      },
      record: (event) => this.#log.append(event),
    };
    let assessed: CallEffects;
    let hasWaited: boolean;
    try {
      this.#signal.throwIfAborted();
      assessed = await assessedInOrder(() => call.assess(context), place);
      hasWaited = await place.turn(assessed.access);
    } catch (error) {
      this.#endUndecided(id, tool, error);
      return;
    }
    await place.whileWriting(assessed.access, async (waited) => {
      let authorization: Authorization<CallEffects>;
      try {
        const current = waited || hasWaited ? await call.assess(context) : assessed;
        const reassess = () => call.assess(context);
        const why = { said: statedReason(call) ?? said, defaulted: defaultedParameters(tool, call.input) };
        const question = { assessed: current, reassess, asked: tool.words?.asked, isOfSeenLink: false, ...why };
        authorization = await this.#authorize(call, question, known, place.questions);
      } catch (error) {
        this.#endUndecided(id, tool, error);
        return;
      }
      this.#log.append(knownSecrets.redactIn(decisionEvent(id, authorization)));
      if (authorization.answer === 'deny') {
        const text = declinedText(authorization, call.declinedText);
        this.#commitResult(id, tool, { text, isError: true }, { outcome: 'declined' });
        return;
      }
      allowedFor = authorization.reason;
      changes.allowed(authorization);
      const { access } = authorization.approved;
      const readFiles = access.flatMap((each) => (each.kind === 'file' && each.class === 'read' ? [each.path] : []));
      for (const path of readFiles) knownSecrets.readFile(path);
      // A program that runs there may print their content.
      for (const each of access) if (each.kind === 'command') knownSecrets.readFolder(each.directory);
      const output = knownSecrets.live((chunk) => this.#log.show({ type: 'tool_output', id, chunk }));
      const allowedContext: ToolContext = {
        ...context,
        commandEnvironment: authorization.passesVariables === true ? context.env : undefined,
        onOutput: (chunk) => output.push(chunk),
        onProgress: (given) => {
          const progress = knownSecrets.redactIn(given);
          this.#log.show({ type: 'tool_output', id, chunk: '', progress });
        },
        askModel: (question) => {
          const authorizeAgain = (now: KnownContext) => this.#allowFurther(call, access, now, allowedFor);
          return answerOf(question, { ...this.#asking, id, tool, known, marks, authorize: authorizeAgain });
        },
      };
      const startedAt = performance.now();
      const executing = call.execute(authorization, allowedContext);
      // A call that asks a model ends soon after its model and the calls inside it, and nothing inside may end after
      // it.
      const result = tool.asksModel ? await executing : await untilStopped(executing, this.#signal);
      changes.close();
      output.end();
      const elapsedMs = Math.round(performance.now() - startedAt);
      const reached = reachedBy(result, access);
      const ofAccess = marksOfAccess(reached, (real) => environment.files.shownPath(real));
      const mayHoldText = result.isError && !foundNothing(result, access);
      const readTexts = mayHoldText ? access : reached.filter((each) => !isForUser(each));
      this.#commitResult(id, tool, result, {
        marks: eachOnce([...ofAccess, ...marks, ...provenance.marksOf(readTexts)]),
        links,
        elapsedMs,
        ...told,
        changed: changes.changed,
        readFiles,
      });
      // The other calls of the message end too.
      if (result.endsTurn !== undefined) throw new TurnEndedByCall(result.endsTurn);
    });
  }

  /**
   * The call was stopped or found impossible before an answer. Rethrows anything else: an internal or storage error.
   */
  #endUndecided(id: string, tool: Tool, error: unknown): void {
    if (this.#signal.aborted) {
      this.#deny(id, tool, { code: 'stopped' }, { text: NEVER_RUN_RESULT, outcome: 'stopped' });
    } else if (error instanceof AccessDenied) {
      const { message: text, folder } = error;
      this.#deny(id, tool, { code: 'outside_roots' }, { text, outcome: 'declined' }, folder);
    } else if (error instanceof ToolFailure) {
      const marks = marksOfAssessing(tool, error);
      this.#deny(id, tool, { code: 'impossible' }, { text: error.message, outcome: 'failed', marks });
    } else {
      throw error;
    }
  }

  #authorize<Assessed extends CallEffects>(
    { tool, input }: PreparedCall,
    question: Pick<GateCall<Assessed>, 'assessed' | 'reassess' | 'asked' | 'isOfSeenLink' | 'said' | 'defaulted'>,
    known: KnownContext,
    place?: BatchPlace,
  ): Promise<Authorization<Assessed>> {
    const { gate, tools } = this.#services;
    return gate.authorize(
      {
        tool: tool.name,
        declaredClass: tool.access,
        asksModel: tools.asksModel(tool),
        conversationId: this.#log.conversationId,
        input,
        askedBy: this.#nestedIn?.askedBy,
        ...question,
        ...known,
      },
      this.#signal,
      place,
    );
  }

  /**
   * Accesses that came up while the call ran, or that something it read puts in question again. They get no separate
   * decision in the log: the call has one.
   */
  async #allowFurther(
    call: PreparedCall,
    access: readonly Access[],
    known: KnownContext,
    allowedFor: DecisionReason | undefined,
  ): Promise<void> {
    const effects: CallEffects = { access };
    const isOfSeenLink = allowedFor !== undefined && seenLinksIn(allowedFor).length > 0;
    // Of other calls, the title says what this access is.
    const asked = call.tool.asksModel ? call.tool.words?.asked : undefined;
    const question = { assessed: effects, reassess: async () => effects, asked, isOfSeenLink };
    const authorization = await this.#authorize(call, question, known);
    if (authorization.answer === 'deny') throw new ToolFailure(authorization.text, { outcome: 'declined' });
  }

  get #asking(): Omit<Asking, 'id' | 'tool' | 'known' | 'marks' | 'authorize'> {
    const services = this.#services;
    const log = this.#log;
    const shared = this.#shared;
    const signal = this.#signal;
    const { tools, askedModels } = services;
    // A model that was asked can't ask another.
    const models = this.#nestedIn === undefined ? askedModels : undefined;
    const run: Asking['run'] = async (calls, ofAsked, nestedIn) => {
      try {
        await new ToolCalls({ ...services, tools: ofAsked }, log, 'model', signal, nestedIn).run(calls);
      } catch (error) {
        if (!(error instanceof TurnEndedByCall)) throw error;
        // It is the whole turn's end, also of the call that asked.
        throw new ToolFailure(error.message, { cause: error, endsTurn: error.failure });
      }
    };
    return { models, tools, log, shared, signal, run };
  }

  #commitResult(id: string, tool: Tool | undefined, result: ToolResult, details: ResultDetails): void {
    this.#log.append(resultEvent({ id, tool, calledBy: this.#calledBy }, result, details, this.#services));
  }
}
