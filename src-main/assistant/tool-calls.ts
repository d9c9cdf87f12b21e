import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import { type DecisionReason, seenLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { CalledBy, CallOutcome, EventOf, Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { isRecord } from '../base/json.ts';
import type { Access, CallEffects } from '../policy/access.ts';
import { eachOnce, marksOfAccess } from '../policy/access-marks.ts';
import type { BatchPlace } from '../policy/call-batch.ts';
import type { Authorization, Gate } from '../policy/gate.ts';
import type { Denied, GateCall } from '../policy/gate-call.ts';
import type { KnownAddresses } from '../policy/known-addresses.ts';
import { AccessDenied } from '../policy/roots.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import { type Tool, type ToolContext, ToolFailure, type ToolInput, type ToolResult } from '../tools/contract.ts';
import { defaultedParameters, statedReason } from '../tools/registry/call-arguments.ts';
import type { PreparedCall } from '../tools/registry/prepared-call.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { assessedInOrder, CallOrder, type CallPlace } from './call-order.ts';
import { type ResultDetails, resultEvent, untilStopped } from './call-result.ts';
import type { ConversationLog } from './conversation-log.ts';
import { NEVER_RUN_RESULT } from './history.ts';
import type { Provenance } from './review/file-review.ts';
import { CallChanges, type KeptImages } from './undo/call-changes.ts';

/** Enough for every real batch; a message with hundreds of calls must not start hundreds of processes at once. */
const CONCURRENT_CALLS = 32;

/** Shared by all calls. */
export type ToolEnvironment = Omit<
  ToolContext,
  | 'signal'
  | 'allowAccess'
  | 'conversationId'
  | 'callId'
  | 'marks'
  | 'mark'
  | 'links'
  | 'exited'
  | 'card'
  | 'record'
  | 'onOutput'
  | 'commandEnvironment'
>;

export interface ToolCallServices {
  readonly registry: ToolRegistry;
  readonly gate: Gate;
  readonly environment: ToolEnvironment;
  /** Storage of file versions from before a call changed them. */
  readonly beforeImages: KeptImages;
  /** Tracks files that were changed after text from outside was read. */
  readonly provenance: Provenance;
  /** How many characters of a result the model is given; 0: all. */
  readonly maxResultChars: number;
  /** Secrets that no result may contain. */
  readonly knownSecrets: KnownSecrets;
}

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly invalidInput?: ToolUseBlock['invalidInput'];
  /** The model's text before the call in the same message. */
  readonly said?: string;
}

interface AnnouncedCall {
  readonly event: EventOf<'tool_call'>;
  start(known: KnownContext, place: CallPlace): Promise<void>;
}

/** What the policy knew about the conversation when the model made its calls, without their results. */
interface KnownContext extends KnownAddresses {
  readonly marks: readonly Mark[];
}

/** Runs the calls of one assistant message: validate, ask the policy, execute, commit the result. */
export class ToolCalls {
  private readonly services: ToolCallServices;
  private readonly log: ConversationLog;
  private readonly calledBy: CalledBy;
  /** Aborted on Stop, and when a call of the batch could not be recorded, so that the others end too. */
  private readonly signal: AbortSignal;
  private readonly fault = new AbortController();

  constructor(services: ToolCallServices, log: ConversationLog, calledBy: CalledBy, signal: AbortSignal) {
    this.services = services;
    this.log = log;
    this.calledBy = calledBy;
    this.signal = AbortSignal.any([signal, this.fault.signal]);
    // Every call of a batch listens to it several times. That is not a leak, but Node would warn about one.
    setMaxListeners(0, this.signal);
  }

  /**
   * Resolves when each call has its decision and its result. Rejects with storage errors once all calls have ended: nothing may be appended after
   * the turn has ended.
   */
  async run(calls: readonly RequestedCall[]): Promise<void> {
    const limit = pLimit(CONCURRENT_CALLS);
    const known = { marks: this.log.marks(), ...this.log.addresses().forCalls() };
    const announced = calls.map((call) => this.announce(call));
    this.log.appendAll(announced.map(({ event }) => event));
    const order = new CallOrder(announced.length, CONCURRENT_CALLS);
    const running = announced
      .map(({ start }, index) => limit(() => order.run(index, (place) => start(known, place))))
      .map((call) =>
        call.catch((error: unknown) => {
          this.fault.abort(error);
          throw error;
        }),
      );
    for (const outcome of await Promise.allSettled(running)) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Commits the calls, in the model's order, before any of them starts. */
  private announce(call: RequestedCall): AnnouncedCall {
    const { registry } = this.services;
    if (call.invalidInput !== undefined) {
      const { reason } = call.invalidInput;
      const tool = registry.get(call.name);
      return this.refuse(call, tool, {}, { code: 'invalid_json' }, `Error: Invalid JSON parameters: ${reason}`);
    }
    const prepared = registry.prepare(call.name, call.input);
    if (!prepared.ok)
      return this.refuse(
        call,
        prepared.tool,
        asRecord(call.input),
        this.whyRefused(call.name, prepared.tool),
        prepared.text,
      );
    return {
      // As the model sent it; the gate shows the parsed input and binds the answer to that.
      event: this.callEvent(call.id, prepared.call.tool.name, asRecord(call.input)),
      start: (known, place) => this.runOne(call, prepared.call, known, place),
    };
  }

  private refuse(
    call: RequestedCall,
    tool: Tool | undefined,
    input: ToolInput,
    reason: DecisionReason,
    text: string,
  ): AnnouncedCall {
    return {
      event: this.callEvent(call.id, tool?.name ?? call.name, input),
      start: async () => this.deny(call.id, tool, reason, { text, outcome: 'failed' }),
    };
  }

  private callEvent(id: string, name: string, input: ToolInput): EventOf<'tool_call'> {
    const words = this.services.registry.words(name, input);
    return { type: 'tool_call', id, name, input, calledBy: this.calledBy, words };
  }

  private whyRefused(called: string, tool: Tool | undefined): DecisionReason {
    const { registry } = this.services;
    if (tool === undefined) {
      const closed = registry.missing(called);
      return closed === undefined ? { code: 'unknown_tool' } : { code: 'tool_unavailable', needs: closed.needs };
    }
    return { code: registry.isEnabled(tool) ? 'invalid_input' : 'tool_disabled' };
  }

  private deny(
    id: string,
    tool: Tool | undefined,
    reason: DecisionReason,
    { text, ...details }: { readonly text: string; readonly outcome: CallOutcome; readonly marks?: readonly Mark[] },
    grantableFolder?: string,
  ): void {
    const grantable = grantableFolder === undefined ? {} : { grantableFolder };
    this.log.append({ type: 'decision', id, answer: 'deny', by: 'default', reason, ...grantable });
    this.commitResult(id, tool, { text, isError: true }, details);
  }

  private async runOne(
    { id, said }: RequestedCall,
    call: PreparedCall,
    known: KnownContext,
    place: CallPlace,
  ): Promise<void> {
    const { tool } = call;
    const marks: Mark[] = [];
    const links: string[] = [];
    const told: { card?: ToolCard; exitCode?: number } = {};
    let allowedFor: DecisionReason | undefined;
    const { environment, beforeImages: images, provenance, knownSecrets } = this.services;
    const changes = new CallChanges({ images, provenance, log: this.log, callId: id, marks: known.marks });
    // Before anything is reported: an error about an impossible call describes the current state.
    knownSecrets.readFolder(environment.workspace);
    const context: Omit<ToolContext, 'commandEnvironment' | 'onOutput'> = {
      ...environment,
      files: environment.files.recording(changes),
      signal: this.signal,
      conversationId: this.log.conversationId,
      callId: id,
      marks: known.marks,
      allowAccess: (access) => this.allowFurther(call, access, known, allowedFor),
      mark: (mark) => marks.push(mark),
      links: (found, page) => {
        if (page === undefined || known.links.has(page)) links.push(...found);
      },
      exited: (exitCode) => Object.assign(told, { exitCode }),
      card: (card) => Object.assign(told, { card }),
      record: (event) => this.log.append(event),
    };
    let assessed: CallEffects;
    let hasWaited: boolean;
    try {
      this.signal.throwIfAborted();
      assessed = await assessedInOrder(() => call.assess(context), place);
      hasWaited = await place.turn(assessed.access);
    } catch (error) {
      this.endUndecided(id, tool, error);
      return;
    }
    await place.whileWriting(assessed.access, async (waited) => {
      let authorization: Authorization<CallEffects>;
      try {
        const current = waited || hasWaited ? await call.assess(context) : assessed;
        const reassess = () => call.assess(context);
        const why = { said: statedReason(call) ?? said, defaulted: defaultedParameters(tool, call.input) };
        const question = { assessed: current, reassess, asked: tool.words?.asked, isOfSeenLink: false, ...why };
        authorization = await this.authorize(call, question, known, place.questions);
      } catch (error) {
        this.endUndecided(id, tool, error);
        return;
      }
      this.log.append(decisionEvent(id, authorization));
      if (authorization.answer === 'deny') {
        const text = declinedText(authorization, call.declinedText);
        this.commitResult(id, tool, { text, isError: true }, { outcome: 'declined' });
        return;
      }
      allowedFor = authorization.reason;
      changes.allowed(authorization);
      const { access } = authorization.approved;
      const readFiles = access.flatMap((each) => ('path' in each && each.class === 'read' ? [each.path] : []));
      for (const path of readFiles) knownSecrets.readFile(path);
      // A program that runs there may print their content.
      for (const each of access) if (each.class === 'execute') knownSecrets.readFolder(each.directory);
      const output = knownSecrets.live((chunk) => this.log.show({ type: 'tool_output', id, chunk }));
      const allowedContext: ToolContext = {
        ...context,
        commandEnvironment: authorization.passesVariables === true ? context.env : undefined,
        onOutput: (chunk) => output.push(chunk),
      };
      const startedAt = performance.now();
      const result = await untilStopped(call.execute(authorization, allowedContext), this.signal);
      changes.close();
      output.end();
      const elapsedMs = Math.round(performance.now() - startedAt);
      const ofAccess = marksOfAccess(access, (real) => environment.files.shownPath(real));
      this.commitResult(id, tool, result, {
        marks: eachOnce([...ofAccess, ...marks, ...provenance.marksOf(access)]),
        links,
        elapsedMs,
        ...told,
        changed: changes.changed,
        readFiles,
      });
    });
  }

  /** The call was stopped or found impossible before an answer. Rethrows anything else: an internal or storage error. */
  private endUndecided(id: string, tool: Tool, error: unknown): void {
    if (this.signal.aborted) {
      this.deny(id, tool, { code: 'stopped' }, { text: NEVER_RUN_RESULT, outcome: 'stopped' });
    } else if (error instanceof AccessDenied) {
      const { message: text, folder } = error;
      this.deny(id, tool, { code: 'outside_roots' }, { text, outcome: 'declined' }, folder);
    } else if (error instanceof ToolFailure) {
      const marks = marksOfAssessing(tool);
      this.deny(id, tool, { code: 'impossible' }, { text: error.message, outcome: 'failed', marks });
    } else {
      throw error;
    }
  }

  private authorize<Assessed extends CallEffects>(
    { tool, input }: PreparedCall,
    question: Pick<GateCall<Assessed>, 'assessed' | 'reassess' | 'asked' | 'isOfSeenLink' | 'said' | 'defaulted'>,
    known: KnownContext,
    place?: BatchPlace,
  ): Promise<Authorization<Assessed>> {
    const { gate, registry } = this.services;
    return gate.authorize(
      {
        tool: tool.name,
        declaredClass: tool.access,
        asksModel: registry.asksModel(tool),
        conversationId: this.log.conversationId,
        input,
        ...question,
        ...known,
      },
      this.signal,
      place,
    );
  }

  /** An access that came up while the call ran. It gets no separate decision in the log: the call has one. */
  private async allowFurther(
    call: PreparedCall,
    access: Access,
    known: KnownContext,
    allowedFor: DecisionReason | undefined,
  ): Promise<void> {
    const effects: CallEffects = { access: [access] };
    const isOfSeenLink = allowedFor !== undefined && seenLinksIn(allowedFor).length > 0;
    const question = { assessed: effects, reassess: async () => effects, isOfSeenLink };
    const authorization = await this.authorize(call, question, known);
    if (authorization.answer === 'deny') throw new ToolFailure(authorization.text, { outcome: 'declined' });
  }

  private commitResult(id: string, tool: Tool | undefined, result: ToolResult, details: ResultDetails): void {
    this.log.append(resultEvent({ id, tool, calledBy: this.calledBy }, result, details, this.services));
  }
}

function decisionEvent(id: string, authorization: Authorization<CallEffects>): EventOf<'decision'> {
  const { answer, by, reason, ruleId } = authorization;
  const rule = ruleId === undefined ? {} : { ruleId };
  const classes = answer === 'allow' ? { classes: authorization.classes } : {};
  return { type: 'decision', id, answer, by, reason, ...rule, ...classes };
}

/** The reason why a call is impossible may reveal what is in the roots, such as a missing file or text. */
function marksOfAssessing({ name, access }: Tool): readonly Mark[] {
  const looksAtRoots = access === 'read' || access === 'write' || access === 'execute';
  return looksAtRoots ? [{ kind: 'private', source: `what ${name} looked at` }] : [];
}

/** A call's own answer is kept; the person's feedback follows it. */
function declinedText({ text, said }: Denied, own: string | undefined): string {
  if (own === undefined) return text;
  return said === undefined ? own : `${own}\n${said}`;
}

function asRecord(input: unknown): ToolInput {
  return isRecord(input) ? { ...input } : {};
}
