import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ASK_CLIENT_NAME } from '../../src-preload/contract/client-reason.ts';
import { errorMessage } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { ClientSession, type OpenConversation } from '../client-tools/protocol/client-session.ts';
import { LineReader, lineFaultText } from '../client-tools/protocol/line-reader.ts';
import { type ClientErrorCode, parseRunInput, type ToClient } from '../client-tools/protocol/messages.ts';
import type { RunInput } from '../client-tools/records.ts';
import { broughtBy } from '../client-tools/sourced-tools.ts';
import type { ProfilePart, StartedTurn, ToolsPart } from '../services.ts';
import { foldCase } from '../tools/registry/disabled-tools.ts';
import type { BroughtTool } from '../tools/registry/toolset.ts';
import { wireNameOf } from '../tools/registry/wire-names.ts';
import { UsageError } from './arguments.ts';

export interface AskClientOptions {
  readonly stdin: Readable;
  /** The content of `--run-input`. */
  readonly input: RunInput | undefined;
  readonly send: (message: ToClient) => void;
  /** A line for standard error, without its end. */
  readonly log: (line: string) => void;
}

type AttachPorts = Pick<ToolsPart, 'clients'> & { readonly storage: Pick<ProfilePart['storage'], 'conversations'> };

/** The program that runs `ask --client`: it brings tools, and answers on standard input. Source: tool catalogue D.9. */
export class AskClient {
  readonly #options: AskClientOptions;
  readonly #session: ClientSession;
  readonly #reader: LineReader;
  /** What it is told is printed after `start`. */
  #held: ToClient[] | undefined = [];
  #conversation: OpenConversation | undefined;

  constructor(options: AskClientOptions) {
    this.#options = options;
    this.#session = new ClientSession({
      name: ASK_CLIENT_NAME,
      conversation: () => this.#conversation ?? { missing: 'There is no conversation yet.' },
      send: (message) => this.#send(message),
      end: (code, message) => this.#end(code, message),
      log: options.log,
    });
    this.#reader = new LineReader({
      onLine: (line) => this.#session.receive(line),
      onFault: (fault) => this.#end(fault, lineFaultText(fault)),
      onFull: (isFull) => void (isFull ? options.stdin.pause() : options.stdin.resume()),
    });
  }

  /**
   * Call it before the first request to the model. If there is no input, the groups of earlier turns are this
   * program's. Rejects with `ClientRegistrationError`; then nothing is registered, and a new conversation is gone.
   */
  async attach({ conversation: { id }, isNew }: StartedTurn, { clients, storage }: AttachPorts): Promise<void> {
    const { input } = this.#options;
    const conversation: OpenConversation = { id, clients: clients.of(id) };
    this.#conversation = conversation;
    try {
      if (input === undefined) this.#session.attach(conversation);
      else await this.#session.register(input, conversation);
    } catch (error) {
      if (isNew) storage.conversations.remove(id);
      throw error;
    }
  }

  /** What its run input would bring. */
  brought(): readonly BroughtTool[] {
    const groups = this.#options.input?.clientToolGroups ?? [];
    return broughtBy([{ name: ASK_CLIENT_NAME, state: { groups }, ownCode: undefined }]);
  }

  /** Whether the run input has a tool, group or skill of this name, as the program gives it or in wire form. */
  brings(name: string): boolean {
    const groups = this.#options.input?.clientToolGroups ?? [];
    const names = groups.flatMap((group) => [group, ...group.tools, ...(group.skills ?? [])]).map((each) => each.name);
    return names.flatMap((each) => [each, wireNameOf(each)]).some((each) => foldCase(each) === foldCase(name));
  }

  /** Standard input is read from now on; its end is a disconnect. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const message of held) this.#options.send(message);
    const { stdin } = this.#options;
    stdin.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onEnd).on('error', this.#onEnd);
    if (stdin.readableEnded || stdin.destroyed) this.#onEnd();
    stdin.resume();
  }

  /** The run is over. */
  close(): void {
    const { stdin } = this.#options;
    stdin.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onEnd);
    stdin.pause();
    this.#reader.close();
    this.#session.disconnected();
  }

  #send(message: ToClient): void {
    if (this.#held === undefined) this.#options.send(message);
    else this.#held.push(message);
  }

  #end(code: ClientErrorCode, message: string): void {
    this.#send({ type: 'client_error', code, message });
    this.close();
  }

  readonly #onData = (chunk: Buffer | string): void =>
    this.#reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);

  readonly #onEnd = (): void => void this.#reader.end().then(() => this.#session.disconnected());
}

/**
 * The file of `--run-input`. Throws `UsageError`, and `ClientRegistrationError` if it is a group that is not as it
 * should be.
 */
export function readRunInput(file: string): RunInput {
  let text: string;
  try {
    // Editors on Windows begin a file with a byte order mark.
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(`--run-input: ${visible(file)} cannot be read: ${errorMessage(error)}`);
  }
  const parsed = parseRunInput(text);
  if ('input' in parsed) return parsed.input;
  throw parsed.fault ?? new UsageError(`--run-input: ${visible(file)}: ${parsed.reason}`);
}
