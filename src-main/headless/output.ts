import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { connectionLines } from '../../src-preload/contract/connections-text.ts';
import { decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import type { EventOf, LiveEvent, StoredEvent } from '../../src-preload/contract/events.ts';
import { exactJson } from '../../src-preload/contract/exact-json.ts';
import { NOT_ALL_ASIDE_TEXT, putAsideText } from '../../src-preload/contract/put-aside-text.ts';
import { serverRequestText } from '../../src-preload/contract/server-request.ts';
import type { PutAside, TerminalCard } from '../../src-preload/contract/tool-card.ts';
import { grouped, shortened, visible } from '../base/text.ts';
import type { ToClient } from '../client-tools/protocol/messages.ts';
import { AskedModelLines } from './asked-model-lines.ts';
import { ChangesLines } from './changes-lines.ts';
import { type AskEvent, changesKeptText, toAskEvent, toProgressEvent } from './event-json.ts';

/** Shows a turn. `done` comes last, exactly once. */
export interface Output {
  start(conversationId: string, model: string): void;
  event(event: StoredEvent): void;
  live(event: LiveEvent): void;
  /** The answer to a command: no conversation, no model. */
  text(text: string): void;
  notice(code: string, message: string): void;
  error(code: string, message: string): void;
  done(stopReason: string): void;
}

/** One event per line, for programs. */
export class JsonOutput implements Output {
  readonly #stdout: Writable;

  constructor(stdout: Writable) {
    this.#stdout = stdout;
  }

  start(conversationId: string, model: string): void {
    this.#line({ type: 'start', conversationId, model });
  }

  event(event: StoredEvent): void {
    const line = toAskEvent(event);
    if (line !== undefined) this.#line(line);
  }

  live(event: LiveEvent): void {
    const line = toProgressEvent(event);
    if (line !== undefined) this.#line(line);
  }

  text(text: string): void {
    this.#line({ type: 'text', text });
  }

  /** Sends a message to the client of `--client`. */
  client(message: ToClient): void {
    this.#line(message);
  }

  notice(code: string, message: string): void {
    this.#line({ type: 'notice', code, message });
  }

  error(code: string, message: string): void {
    this.#line({ type: 'error', code, message });
  }

  done(stopReason: string): void {
    this.#line({ type: 'done', stopReason });
  }

  #line(event: AskEvent): void {
    this.#stdout.write(`${escapedControls(exactJson(event))}\n`);
  }
}

/** JSON does not escape them, and U+009B begins an escape sequence in some terminals. */
function escapedControls(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

const MAX_SHOWN_INPUT_LENGTH = 200;

export interface TextOutputOptions {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  /** Prints the result of a tool call unchanged, since no model will report it. */
  readonly printResults: boolean;
}

/** The answer on stdout, everything else on stderr. */
export class TextOutput implements Output {
  readonly #options: TextOutputOptions;
  #endsInNewline = true;
  #costUsd = 0;
  #tokens = 0;
  /** Tokens were used whose price is not known. */
  #hasUnpriced = false;
  readonly #asked = new AskedModelLines();
  readonly #changes = new ChangesLines();

  constructor(options: TextOutputOptions) {
    this.#options = options;
  }

  start(): void {
    // The user has just typed the command, so its start needs no line.
  }

  live(): void {
    // The answer is printed as it is committed, and a call's progress is for programs.
  }

  event(event: StoredEvent): void {
    switch (event.type) {
      case 'text_delta':
        this.#print(event.text);
        break;
      case 'tool_call':
        if (event.asks !== undefined || event.inside !== undefined) this.#lines(this.#asked.call(event));
        else this.#say(`→ ${event.name} ${shortened(exactJson(event.input), MAX_SHOWN_INPUT_LENGTH)}`);
        break;
      case 'decision':
        if (event.answer === 'deny') this.#denied(event);
        if (event.grantableFolder !== undefined) {
          this.#say(`  To allow it, add "${event.grantableFolder}" to "folders" in config.json.`);
        }
        break;
      case 'tool_result':
        if (this.#asked.knows(event.id) && !(this.#options.printResults && event.calledBy === 'person'))
          this.#lines(this.#asked.result(event));
        else if (this.#options.printResults) this.#print(event.text);
        else if (event.isError) this.#say(`  ${shortened(event.text, MAX_SHOWN_INPUT_LENGTH)}`);
        if (!this.#options.printResults && event.card?.kind === 'terminal') this.#lines(terminalLines(event.card));
        break;
      case 'changes':
        this.#lines(this.#changes.lines(event));
        break;
      case 'usage':
        this.#tokens += event.input + event.output + event.cacheRead + event.cacheWrite;
        this.#costUsd += event.costUsd ?? 0;
        this.#hasUnpriced ||= event.costUsd === undefined;
        break;
      case 'server_request':
        this.notice('server_request', serverRequestText(event));
        break;
      case 'notice':
        this.notice(event.code, event.message);
        break;
      case 'retry': {
        const kept = changesKeptText(event);
        if (kept !== undefined) this.#say(kept);
        break;
      }
      case 'error':
        this.error(event.code, event.message);
        break;
      default:
        break;
    }
  }

  #denied({ id, by, reason }: EventOf<'decision'>): void {
    const line = `not allowed (${by}): ${decisionReasonText(reason)}`;
    if (this.#asked.knows(id)) this.#lines(this.#asked.below(id, line));
    else this.#say(`  ${line}`);
  }

  text(text: string): void {
    this.#print(text);
  }

  notice(_code: string, message: string): void {
    this.#say(message);
  }

  error(_code: string, message: string): void {
    this.#say(`Error: ${message}`);
  }

  done(): void {
    if (!this.#endsInNewline) this.#options.stdout.write('\n');
    if (this.#tokens > 0) {
      const bound = this.#hasUnpriced ? 'at least' : 'about';
      const cost = this.#costUsd > 0 ? `, ${bound} $${this.#costUsd.toFixed(4)}` : '';
      this.#options.stderr.write(`${grouped(this.#tokens)} tokens${cost}\n`);
    }
  }

  /** Escape sequences from a model, a file or a web page never reach the terminal. */
  #print(text: string): void {
    const shown = this.#options.stdout.isTTY === true ? withoutControls(text) : text;
    if (shown === '') return;
    this.#options.stdout.write(shown);
    this.#endsInNewline = shown.endsWith('\n');
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#say(line);
  }

  #say(line: string): void {
    if (!this.#endsInNewline && this.#options.stdout.isTTY === true) {
      this.#options.stdout.write('\n');
      this.#endsInNewline = true;
    }
    this.#options.stderr.write(ownLine(line));
  }
}

/** What the sandbox did to a command. */
function terminalLines({ connections, putAside }: TerminalCard): readonly string[] {
  return [
    ...(connections === undefined ? [] : connectionLines(connections).map((line) => `  ${line}`)),
    ...(putAside === undefined ? [] : putAsideLines(putAside)),
  ];
}

function putAsideLines(putAside: PutAside): readonly string[] {
  const { entries, count, isIncomplete } = putAside;
  const text = putAsideText(putAside);
  return [
    ...(text === undefined ? [] : [`  ${text}`]),
    ...entries.map(({ path, name }) => `    ${path} is now ${name}`),
    ...(count > entries.length ? [`    and ${grouped(count - entries.length)} more`] : []),
    ...(isIncomplete ? [`  ${NOT_ALL_ASIDE_TEXT}`] : []),
  ];
}

/**
 * A line of ours for the terminal. Characters in it that reorder, hide or repaint text must not change what it seems to
 * say.
 */
export function ownLine(text: string): string {
  return `${text.split('\n').map(visible).join('\n    ')}\n`;
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
