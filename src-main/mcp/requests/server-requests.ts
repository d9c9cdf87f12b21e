import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResultWithTools,
  ElicitResult,
} from '@modelcontextprotocol/client';
import type { ServerRequest } from '../../../src-preload/contract/events.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { Listeners } from '../../base/listeners.ts';
import type { ServerAnswer, ServerConsent } from '../../policy/mcp/server-consent.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import type { RequestOrigin, RunningCall } from '../calls/running-calls.ts';
import { CallFailure } from '../calls/tool-call.ts';
import type { McpConnection } from '../connection.ts';
import type { ClientFeatures } from '../transport/handshake.ts';
import { requestedForm, UnusableRequest } from './requested-form.ts';
import { type RequestedUrl, requestedUrl, requiredUrls } from './requested-url.ts';

/** The user has to open URLs before the call can be made. Source: MCP specification 2025-11-25, "URL mode". */
const URL_ELICITATION_REQUIRED = -32_042;
/** Refusals per call; after this, questions are declined without asking the user again. */
const MAX_REFUSALS = 3;
/** Ids of completed URL requests, kept in case the server reports them before we wait. */
const MAX_COMPLETED = 100;

/**
 * Asks the user, then the model. Rejects with `UnusableRequest` if it was not allowed, or no model can take the
 * request.
 */
export type SamplingPort = (
  server: string,
  params: CreateMessageRequestParams,
  /** `conversations` is how many the request may be for. */
  asking: { readonly call: RunningCall; readonly conversations: number },
  signal: AbortSignal,
) => Promise<CreateMessageResultWithTools>;

export interface RequestPorts {
  readonly consent: Pick<ServerConsent, 'askForm' | 'askLink'>;
  readonly sample: SamplingPort;
  /** Opens a checked URL in the user's browser. */
  readonly openUrl: (url: string) => Promise<void>;
  /** The workspace and the granted folders, absolute. */
  readonly folders: () => readonly string[];
}

type Requesting = Pick<McpConnection, 'name' | 'config' | 'originOf' | 'log'>;

/** The part of a request's origin that its question is about. */
type Asking = Pick<RequestOrigin, 'call' | 'conversations'>;

/**
 * Whether the server is told which folders Steward works in: local servers unless switched off, remote ones only if
 * switched on.
 */
export function getsRoots({ transport, roots }: McpServerConfig): boolean {
  return roots ?? (transport === 'stdio' || transport === 'bundled');
}

/**
 * A server's requests to Steward, during a tool call or unprompted: forms, URLs to open, sampling, roots. In revision
 * 2026-07-28 the SDK turns an `input_required` result into the same requests.
 */
export class ServerRequests implements ClientFeatures {
  readonly capabilities: ClientCapabilities;
  readonly #connection: Requesting;
  readonly #ports: RequestPorts;
  #client: Client | undefined;
  /** The ids of the URL requests that the server reported as completed. */
  readonly #completed = new Set<string>();
  readonly #listeners = new Listeners();
  #folders = '';
  /** How often each call was refused in a row. */
  readonly #refusals = new WeakMap<RunningCall, number>();

  constructor(connection: Requesting, ports: RequestPorts) {
    this.#connection = connection;
    this.#ports = ports;
    const roots = getsRoots(connection.config) ? { roots: { listChanged: true } } : {};
    this.capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, ...roots };
  }

  register(client: Client): void {
    this.#client = client;
    client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
      this.#answering(mcpReq.signal, taskOf(request.params), (asking, signal) =>
        request.params.mode === 'url'
          ? this.#openUrl(request.params, asking, signal)
          : this.#fillIn(request.params, asking, signal),
      ),
    );
    client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) =>
      this.#answering(mcpReq.signal, taskOf(request.params), (asking, signal) =>
        this.#sample(request.params, asking, signal),
      ),
    );
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      if (this.#completed.size < MAX_COMPLETED) this.#completed.add(params.elicitationId);
      this.#listeners.tell();
    });
    if (this.capabilities.roots === undefined) return;
    this.#folders = this.#ports.folders().join('\n');
    client.setRequestHandler('roots/list', () => ({
      roots: this.#ports.folders().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
    }));
  }

  /** Call after the workspace or the granted folders may have changed: notifies the server if they have. */
  foldersChanged(): void {
    const folders = this.#ports.folders().join('\n');
    if (this.#client === undefined || this.capabilities.roots === undefined || folders === this.#folders) return;
    this.#folders = folders;
    // The later revision has no such notification: each call asks there.
    if (this.#client.getProtocolEra() !== 'legacy') return;
    this.#client.sendRootsListChanged().catch((error: unknown) => this.#note(errorMessage(error)));
  }

  /** The server may need URLs to be opened before the call: the user is asked to open them and confirms when done. */
  async mayCallAgain(error: unknown, signal: AbortSignal): Promise<boolean> {
    const cause = error instanceof CallFailure ? error.cause : undefined;
    if (!(cause instanceof Error && 'code' in cause && cause.code === URL_ELICITATION_REQUIRED)) return false;
    try {
      const urls = requiredUrls('data' in cause ? cause.data : undefined);
      return await this.#answering(signal, undefined, async (asking, whileRunning) => {
        for (const url of urls) {
          const { action } = await this.#openUrl(url, asking, whileRunning);
          if (action !== 'accept' || !(await this.#isDone(url, asking, whileRunning))) return false;
        }
        return true;
      });
    } catch (problem) {
      this.#note(errorMessage(problem));
      return false;
    }
  }

  /** Pauses the clocks of the calls that the request may be for; it ends when they do. */
  async #answering<T>(
    signal: AbortSignal,
    taskId: string | undefined,
    answer: (asking: Asking, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const origin = this.#connection.originOf(taskId);
    const goOn = origin.pause();
    try {
      return await answer(origin, origin.over === undefined ? signal : AbortSignal.any([signal, origin.over]));
    } catch (error) {
      if (error instanceof UnusableRequest) this.#note(`refused: ${error.message}`);
      throw error;
    } finally {
      goOn();
    }
  }

  async #fillIn(params: unknown, asking: Asking, signal: AbortSignal): Promise<ElicitResult> {
    const form = requestedForm(params);
    const answer = await this.#asked('form', asking, signal, (question) =>
      this.#ports.consent.askForm({ kind: 'form', ...question, ...form }, signal),
    );
    if (answer?.answer !== 'accepted') return refusal(answer);
    const content = Object.entries(answer.content).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]);
    return { action: 'accept', content: Object.fromEntries(content) };
  }

  async #openUrl(params: unknown, asking: Asking, signal: AbortSignal): Promise<ElicitResult> {
    const { url, host, message } = requestedUrl(params);
    const answer = await this.#asked('link', asking, signal, (question) =>
      this.#ports.consent.askLink({ kind: 'server-link', ...question, url, host, message, stage: 'asked' }, signal),
    );
    if (answer?.answer !== 'accepted') return refusal(answer);
    await this.#ports.openUrl(url);
    return { action: 'accept' };
  }

  /** Either the user or the server confirms. */
  async #isDone(
    { url, host, message, elicitationId }: RequestedUrl,
    { call, conversations }: Asking,
    signal: AbortSignal,
  ): Promise<boolean> {
    const completed = new AbortController();
    const look = () => {
      if (elicitationId !== null && this.#completed.delete(elicitationId)) completed.abort();
    };
    const unsubscribe = this.#listeners.add(look);
    look();
    try {
      const conversationId = call?.conversationId ?? null;
      const link = { kind: 'server-link', server: this.#connection.name, url, host, message } as const;
      const either = AbortSignal.any([signal, completed.signal]);
      const { answer } = await this.#ports.consent.askLink(
        { ...link, conversationId, conversations, stage: 'opened' },
        either,
      );
      return answer === 'accepted';
    } catch (error) {
      if (completed.signal.aborted && !signal.aborted) return true;
      throw error;
    } finally {
      unsubscribe();
    }
  }

  async #sample(
    params: CreateMessageRequestParams,
    { call, conversations }: Asking,
    signal: AbortSignal,
  ): Promise<CreateMessageResultWithTools> {
    // A request outside a call has no purpose to show and no turn that its usage belongs to.
    if (call === undefined) throw new UnusableRequest('sampling is only available during a call of one of your tools');
    this.#needPatience(call);
    const answer = await this.#ports.sample(this.#connection.name, params, { call, conversations }, signal);
    this.#refusals.delete(call);
    return answer;
  }

  /**
   * Throws `UnusableRequest` if the server asks again after repeated refusals; otherwise counts this request as refused
   * until it is accepted.
   */
  #needPatience(call: RunningCall | undefined): void {
    if (call === undefined) return;
    const refused = this.#refusals.get(call) ?? 0;
    if (refused >= MAX_REFUSALS)
      throw new UnusableRequest('the user has refused several times and will not be asked again');
    this.#refusals.set(call, refused + 1);
  }

  /** Asks, and records the answer. `undefined` if the call has ended. */
  async #asked(
    asked: ServerRequest['asked'],
    { call, conversations }: Asking,
    signal: AbortSignal,
    ask: (question: { server: string; conversationId: string | null; conversations: number }) => Promise<ServerAnswer>,
  ): Promise<ServerAnswer | undefined> {
    const { name: server } = this.#connection;
    this.#needPatience(call);
    try {
      const answer = await ask({ server, conversationId: call?.conversationId ?? null, conversations });
      const { by, reason } = answer;
      call?.record({ type: 'server_request', server, asked, answer: answer.answer, by, reason });
      if (answer.answer === 'accepted' && call !== undefined) this.#refusals.delete(call);
      this.#note(`${asked}: ${answer.answer}`);
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #note(text: string): void {
    this.#connection.log.add({ kind: 'state', text });
  }
}

/** Source: MCP specification 2025-11-25, "Tasks". */
function taskOf({ _meta }: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }): string | undefined {
  const task = _meta?.['io.modelcontextprotocol/related-task'];
  return isRecord(task) && typeof task.taskId === 'string' ? task.taskId : undefined;
}

function refusal(answer: ServerAnswer | undefined): ElicitResult {
  return { action: answer?.answer === 'declined' ? 'decline' : 'cancel' };
}
