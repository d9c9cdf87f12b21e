import { dirname } from 'node:path';
import type {
  ConsentAnswer,
  ConsentPort,
  ConsentRequest,
  ToolConsentRequest,
} from '../../../src-main/policy/consent.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import type { Call } from './session.ts';

/** What questions are about, by what was called: it says nothing about how the policy sees it. */
export const KINDS = ['read', 'edit', 'command', 'host', 'memory', 'secret', 'send', 'calendar', 'other'] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  readonly kind: Kind;
  readonly tool: string;
  /** The path, command line or address. */
  readonly what: string;
  readonly reason: string;
  /** The rule that the user kept, and for how long. */
  readonly kept: string | undefined;
}

const KIND_OF_TOOL: Readonly<Record<string, Kind>> = {
  ...kinds('edit', 'write_file edit append_file'),
  ...kinds('command', 'bash run_command execute_command kill_shell'),
  ...kinds('host', 'web_search web_fetch http_get http_request linkedin_jobs linkedin_job_detail'),
  ...kinds('memory', 'store_memory clear_memory set_fact clear_fact search_memory get_fact'),
  ...kinds('read', 'gmail_search gmail_read calendar_list_events calendar_get_event'),
  ...kinds('read', 'read_file list_files list_directory glob grep search_code bash_output'),
  get_environment_variable: 'secret',
  gmail_send: 'send',
  calendar_create_event: 'calendar',
};
const SECRET_FILE = /(?:^|\/)\.env$/;
const TEST_RUN = /\bnpm (?:test|run (?:test|lint|check|build))\b|\bnode --test\b/;

/**
 * Somebody who reads what is asked, says yes, and keeps a rule where one saves questions to come: for the folder of an
 * edit, for a host in this conversation, for a command line that comes again (a test run: always). What a request looks
 * like and how it is answered is known here and nowhere else in this bench. Changes that they are shown with a command
 * they look at.
 */
export class SensiblePerson implements ConsentPort {
  readonly questions: Question[] = [];
  /** The same, as they came. */
  readonly requests: ConsentRequest[] = [];
  readonly #reading: ReadonlySet<string>;
  readonly #lines: readonly string[];
  /** Folders that will be edited. */
  readonly #edited: ReadonlySet<string>;

  /** All that will be called: a user has a notion of what comes again, and of what a line does. */
  constructor(calls: readonly Call[]) {
    this.#lines = calls.map(({ input }) => lineOf(input));
    this.#edited = new Set(
      calls.flatMap(({ tool, input }) => (KIND_OF_TOOL[tool] === 'edit' ? [dirname(subjectOf(input))] : [])),
    );
    this.#reading = new Set(calls.flatMap(({ onlyReads, input }) => (onlyReads === true ? [lineOf(input)] : [])));
  }

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer> {
    signal.throwIfAborted();
    this.requests.push(request);
    const kind = request.kind === 'tool' ? this.#kindOf(request) : 'other';
    const looksAt = request.kind === 'tool' && request.review.length > 0;
    const answer: ConsentAnswer =
      (looksAt ? ({ answer: 'allow', scope: 'reviewed', by: 'user' } as const) : undefined) ??
      (request.kind === 'tool' ? this.#keeping(kind, request) : undefined) ??
      ({ answer: 'allow', scope: 'once', by: 'user' } as const);
    const [tool, what] =
      request.kind === 'tool' ? [request.tool, subjectOf(request.input)] : [request.kind, request.id];
    const kept = 'rule' in answer ? `${answer.rule.label} (${answer.scope})` : undefined;
    const reason = decisionReasonText(request.reason);
    this.questions.push({ kind, tool, what, reason, kept });
    return answer;
  }

  #kindOf({ tool, input }: ToolConsentRequest): Kind {
    const kind = KIND_OF_TOOL[tool] ?? 'other';
    if (kind === 'command' && this.#reading.has(lineOf(input))) return 'read';
    if (invitesGuests(input)) return 'send';
    return kind === 'read' && SECRET_FILE.test(subjectOf(input)) ? 'secret' : kind;
  }

  /** Offers come narrowest first; who knows that other folders will be edited too takes the wider one. */
  #keeping(kind: Kind, { offers, input }: ToolConsentRequest): ConsentAnswer | undefined {
    const [narrow, wide = narrow] = offers;
    const rule = kind === 'edit' && this.#edited.size > 1 ? wide : narrow;
    if (rule === undefined || kind === 'secret') return undefined;
    if (rule.matcher.kind !== 'exact-command') return { answer: 'allow', scope: 'conversation', rule, by: 'user' };
    if (TEST_RUN.test(lineOf(input))) return { answer: 'allow', scope: 'always', rule, by: 'user' };
    const { line } = rule.matcher;
    const comesAgain = this.#lines.filter((other) => withoutCut(other) === line).length > 1;
    return comesAgain ? { answer: 'allow', scope: 'conversation', rule, by: 'user' } : undefined;
  }
}

/** The same command, however much of its output is shown. */
function withoutCut(line: string): string {
  return line.replace(/(?: 2>&1)?(?: \| (?:head|tail)(?: -\d+)?)?$/, '');
}

/** Of a command, with its arguments; empty for other calls. */
export function lineOf({ command, arguments: words }: Readonly<Record<string, unknown>>): string {
  return [command, words].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

/** An event that is sent to people. */
export function invitesGuests({ attendees }: Readonly<Record<string, unknown>>): boolean {
  return typeof attendees === 'string' && attendees.trim() !== '';
}

function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const { file_path, path, url, query, key, question, to, summary } = input;
  const named = file_path ?? path ?? url ?? query ?? key ?? question ?? to ?? summary;
  return lineOf(input) || (typeof named === 'string' ? named : JSON.stringify(input));
}

function kinds(kind: Kind, tools: string): Record<string, Kind> {
  return Object.fromEntries(tools.split(' ').map((tool) => [tool, kind]));
}
