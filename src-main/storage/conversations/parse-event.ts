import { type DecisionReason, isReasonCode } from '../../../src-preload/contract/decision-reason.ts';
import { type CallOutcome, type ConversationEvent, NOTHING_NAMED } from '../../../src-preload/contract/events.ts';
import type { NotKeptReason, PathChange } from '../../../src-preload/contract/file-changes.ts';
import { parseExactJson } from '../../base/exact-number.ts';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';
type Fields = Readonly<Record<string, Kind>>;
/** The fields by the value of the discriminating field. */
type Shapes = Readonly<Record<string, Fields>>;

/** The fields that readers of an event rely on, for each type. */
const EVENTS: Readonly<Record<ConversationEvent['type'], Fields>> = {
  user_message: { content: 'array' },
  round_start: { model: 'string' },
  text_delta: { text: 'string' },
  block: { block: 'object' },
  round_end: { stopReason: 'string' },
  tool_call: { id: 'string', name: 'string', input: 'object' },
  decision: { id: 'string', answer: 'string', by: 'string' },
  tool_result: { id: 'string', text: 'string', isError: 'boolean' },
  mail: { id: 'string', mail: 'string', state: 'string', recipients: 'number' },
  changes: { id: 'string', files: 'array', counts: 'object', notKept: 'array' },
  undo: { calls: 'array', paths: 'array' },
  redo: { calls: 'array', paths: 'array' },
  usage: { model: 'string', input: 'number', output: 'number', cacheRead: 'number', cacheWrite: 'number' },
  server_request: { server: 'string', asked: 'string', answer: 'string', by: 'string' },
  notice: { code: 'string', message: 'string' },
  error: { code: 'string', message: 'string' },
  compaction: { summary: 'string', throughSeq: 'number', marks: 'array' },
  retry: { afterSeq: 'number' },
  turn_end: { stopReason: 'string' },
};

const TEXT: Fields = { text: 'string' };
const MEDIA: Fields = { mediaType: 'string', data: 'string' };

/** The shapes of the assistant's blocks, and after it those of a message, and so on. */
const ASSISTANT_BLOCKS: Shapes = {
  text: TEXT,
  thinking: { thinking: 'string', signature: 'string' },
  redacted_thinking: { data: 'string' },
  tool_use: { id: 'string', name: 'string', input: 'object' },
};
const MESSAGE_BLOCKS: Shapes = { text: TEXT };
const PROMPT_MESSAGES: Shapes = { user: { content: 'array' }, assistant: { content: 'array' } };
const RESULT_PARTS: Shapes = { text: TEXT, image: MEDIA, audio: MEDIA, document: MEDIA };
const REMEDIES: Shapes = { settings: { section: 'string' }, page: { page: 'string' } };
const NAMED_MEDIA: Fields = { name: 'string', ...MEDIA };
const ATTACHMENTS: Shapes = {
  text: { name: 'string', text: 'string' },
  image: MEDIA,
  document: NAMED_MEDIA,
  audio: NAMED_MEDIA,
};

const CHANGED_PATH: Fields = { path: 'string', size: 'number' };
const CHANGED_PATHS: Readonly<Record<PathChange, Fields>> = {
  made: CHANGED_PATH,
  changed: CHANGED_PATH,
  deleted: CHANGED_PATH,
  renamed: { ...CHANGED_PATH, from: 'string' },
  mode: CHANGED_PATH,
};
const NOT_KEPT: Readonly<Record<NotKeptReason['code'], Fields>> = {
  made_again: { from: 'string' },
  too_large: { bytes: 'number' },
  special: {},
  unreadable: {},
  name: {},
  no_space: {},
  unfinished: {},
};

/** The input of a call, whose numbers keep all their digits. */
const HAS_INPUT = /^\{"type":"(?:tool_call|block)"/;

/** The reasons that have parameters. */
type ReasonFields = {
  readonly [R in DecisionReason as Exclude<keyof R, 'code'> extends never ? never : R['code']]: {
    readonly [P in RequiredKeys<R>]: Kind;
  };
};
type RequiredKeys<R> = Exclude<{ [P in keyof R]-?: undefined extends R[P] ? never : P }[keyof R], 'code'>;
const REASONS: ReasonFields = {
  command_without_rule: { why: 'string' },
  repository: { repository: 'string' },
  unreviewed_files: { paths: 'array' },
  read_outside: { path: 'string' },
  secret_file: { path: 'string' },
  secret_file_allowed: { path: 'string' },
  address_not_named: { address: 'string' },
  address_composed: { address: 'string' },
  browser_untrusted: { address: 'string' },
  link_carries: { carries: 'string', address: 'string' },
  link_while_secret: { address: 'string' },
  links_followed: { count: 'number' },
  mail_link: { sender: 'string', hosts: 'array' },
  mail_link_allowed: { url: 'string', domain: 'string', sender: 'string' },
  service_marked: { address: 'string' },
  connection: { host: 'string' },
  connection_marked: { host: 'string' },
  seen_link: { url: 'string', domain: 'string' },
  account_write: { account: 'string' },
  account_write_untrusted: { account: 'string' },
  account_shared: { calendar: 'string' },
  client_tool: { client: 'string' },
  client_tool_allowed: { client: 'string' },
  client_untrusted: { client: 'string' },
  client_permission: { client: 'string' },
  mcp_write: { server: 'string' },
  mcp_write_untrusted: { server: 'string' },
  mcp_claim: { server: 'string' },
  mcp_claim_doubtful: { server: 'string' },
  mcp_unknown: { server: 'string' },
  mcp_remote_marked: { server: 'string' },
  mcp_definitions: { server: 'string', isFirst: 'boolean' },
  mcp_read: { server: 'string' },
  server_form: { server: 'string', isUnasked: 'boolean' },
  server_link: { server: 'string', isUnasked: 'boolean' },
  server_link_opened: { server: 'string' },
  server_sampling: { server: 'string' },
  server_sampling_allowed: { server: 'string' },
  server_asks_too_often: { server: 'string' },
  mcp_content: { server: 'string', content: 'string' },
  mail_unsettled: { check: 'string', problem: 'string' },
  permission_grant: { key: 'string', subject: 'string', state: 'string' },
  undo: { tools: 'array' },
  redo: { tools: 'array' },
  changed_while_asked: { asked: 'object' },
  all_of: { reasons: 'array' },
  rules: { rules: 'array' },
  allowed_with_variables: { names: 'array' },
  allowed_and_kept: { scope: 'string', rule: 'string' },
  flag_allows: { flag: 'string' },
  flag_denies: { flag: 'string', asked: 'object' },
  nobody_asked: { asked: 'object' },
  tool_unavailable: { needs: 'string' },
  text: { text: 'string' },
};

const OUTCOMES: ReadonlySet<unknown> = new Set<CallOutcome>([
  ...(['completed', 'failed', 'declined', 'unanswered', 'stopped', 'interrupted'] as const),
]);

/**
 * The event in a row, or undefined if the row holds none. Everything this program wrote is an event, but a damaged page
 * can contain anything.
 */
export function parseEvent(body: string): ConversationEvent | undefined {
  const value = parseJson(body);
  return isEvent(value) && isWhole(value) ? value : undefined;
}

/** Checks a value as far as the readers rely on it. `isWhole` checks the rest. */
function isEvent(value: unknown): value is ConversationEvent {
  return fits(value, EVENTS, 'type');
}

/** Fields that are optional, or have parts. */
function isWhole(event: ConversationEvent): boolean {
  switch (event.type) {
    case 'block':
      return fits(event.block, ASSISTANT_BLOCKS, 'type');
    case 'user_message': {
      const { attachments = [], named = NOTHING_NAMED, prompt } = event;
      return (
        areAll(event.content, MESSAGE_BLOCKS, 'type') &&
        areAll(attachments, ATTACHMENTS, 'kind') &&
        isNamed(named) &&
        (prompt === undefined || isPrompt(prompt))
      );
    }
    case 'error':
      return !('remedies' in event) || areAll(event.remedies, REMEDIES, 'kind');
    case 'server_request':
    case 'decision':
      if ('said' in event && typeof event.said !== 'string') return false;
      return isReason(event.reason);
    case 'changes':
      return (
        areAll(event.files, CHANGED_PATHS, 'change') &&
        Object.keys(CHANGED_PATHS).every((change) => Object.hasOwn(event.counts, change)) &&
        Object.values(event.counts).every(Number.isFinite) &&
        event.notKept.every((each) => typeof each?.path === 'string' && fits(each.why, NOT_KEPT, 'code'))
      );
    case 'undo':
    case 'redo': {
      const { calls, paths } = event;
      const partly = 'partly' in event ? event.partly : [];
      return [calls, paths, partly].every(areStrings);
    }
    case 'tool_call':
      return isCaller(event.calledBy);
    case 'tool_result':
      if (event.card !== undefined && kindOf(event.card) !== 'object') return false;
      if ('links' in event && !areStrings(event.links)) return false;
      if ('linksFrom' in event && !areStrings(event.linksFrom)) return false;
      if ('remedies' in event && !areAll(event.remedies, REMEDIES, 'kind')) return false;
      return OUTCOMES.has(event.outcome) && isCaller(event.calledBy) && areAll(event.parts ?? [], RESULT_PARTS, 'type');
    default:
      return true;
  }
}

function isPrompt(value: unknown): boolean {
  if (kindOf(value) !== 'object') return false;
  const { server, name, messages } = value as Readonly<Record<string, unknown>>;
  return typeof server === 'string' && typeof name === 'string' && areAll(messages, PROMPT_MESSAGES, 'role');
}

function isNamed(value: unknown): boolean {
  if (kindOf(value) !== 'object') return false;
  const { hosts, urls } = value as Readonly<Record<string, unknown>>;
  return areStrings(hosts) && areStrings(urls);
}

function areStrings(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function isCaller(value: unknown): boolean {
  return value === 'model' || value === 'person';
}

function isReason(value: unknown): boolean {
  if (kindOf(value) !== 'object') return false;
  const { code, asked, reasons } = value as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || !isReasonCode(code)) return false;
  if (Object.hasOwn(REASONS, code) && !fits(value, REASONS, 'code')) return false;
  const inner = [...(asked === undefined ? [] : [asked]), ...(Array.isArray(reasons) ? reasons : [])];
  return inner.every(isReason);
}

function areAll(values: unknown, shapes: Shapes, tag: 'type' | 'kind' | 'role' | 'change'): boolean {
  return Array.isArray(values) && values.every((value) => fits(value, shapes, tag));
}

/** Whether it has one of these shapes: the discriminating field selects the shape, whose fields must be present. */
function fits(value: unknown, shapes: Shapes, tag: 'type' | 'kind' | 'code' | 'role' | 'change'): boolean {
  if (kindOf(value) !== 'object') return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const shape = fields[tag];
  if (typeof shape !== 'string' || !Object.hasOwn(shapes, shape)) return false;
  return Object.entries(shapes[shape] ?? {}).every(([name, kind]) => kindOf(fields[name]) === kind);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function parseJson(text: string): unknown {
  try {
    // Nobody wrote the numbers in any other event.
    return HAS_INPUT.test(text) ? parseExactJson(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
