import { MCP_REASON_TEXTS, type McpReason } from './mcp-reason.ts';
import { type NoOfferReason, type NoRuleReason, noRuleText } from './no-rule-reason.ts';
import { calledTool } from './undo-refusal.ts';

/**
 * Why something was allowed, asked about or not. Kept as a code with what belongs to it; the sentence is made here, for the
 * terminal and the window alike. To add one: a member, and its text below.
 */
export type DecisionReason =
  | McpReason
  /** What asks, by the access that decided. */
  | { readonly code: 'send' }
  | { readonly code: 'command' }
  /** A shell line with more in it than plain commands, pipes and `&&`. */
  | { readonly code: 'shell_line' }
  | { readonly code: 'command_without_rule'; readonly why: NoRuleReason }
  | { readonly code: 'command_untrusted' }
  /** `repository`: real path of its working tree. */
  | { readonly code: 'repository'; readonly repository: string }
  /** Real paths of files that a tool changed after text from outside was read. */
  | { readonly code: 'unreviewed_files'; readonly paths: readonly string[] }
  | { readonly code: 'write' }
  | { readonly code: 'private_network' }
  /** A variable that is not on the list of those that hold no secrets. */
  | { readonly code: 'secret_variable' }
  | { readonly code: 'secret_file'; readonly path: string }
  | { readonly code: 'memory_marked' }
  | { readonly code: 'other_model_marked' }
  | { readonly code: 'effects_unstated' }
  | { readonly code: 'read_outside'; readonly path: string }
  /** The model wrote the address while private text was there. `address`: a host, or the URL where there is none in it. */
  | { readonly code: 'address_composed'; readonly address: string }
  /** The same of older versions, which asked only while text from outside was there too. */
  | { readonly code: 'address_not_named'; readonly address: string }
  /** A link that was seen, asked for with something that the model wrote besides. */
  | { readonly code: 'link_carries'; readonly carries: 'headers' | 'body'; readonly address: string }
  | { readonly code: 'link_while_secret'; readonly address: string }
  /** So many links were followed, of this domain or altogether. */
  | { readonly code: 'links_followed'; readonly count: number; readonly domain?: string }
  /** A search service, or a model that the person configured. */
  | { readonly code: 'service_marked'; readonly address: string }
  /** A value of this key would let the assistant do more. `changed`: since another one was confirmed. */
  | {
      readonly code: 'permission_grant';
      readonly key: string;
      readonly subject: GrantSubject;
      readonly state: 'new' | 'replaced' | 'changed';
    }
  /** What calls of these tools did is to be taken back; `null`: of one that is not known any more. */
  | { readonly code: 'undo'; readonly tools: readonly (string | null)[] }
  /** Main did not see the person write this message and send it. */
  | { readonly code: 'message_not_seen' }
  /** The line calls a tool, and main's record of what was typed and pasted does not hold it. */
  | { readonly code: 'tool_line_not_typed' }
  /** The page wants to open an address that stands nowhere in the conversation. */
  | { readonly code: 'link_not_in_conversation' }
  | { readonly code: 'link_by_assistant' }
  /** Files that a tool changed after text from outside was read are to be looked at. */
  | { readonly code: 'review' }
  /** It was asked about for this, and what it would touch is another by now. */
  | { readonly code: 'changed_while_asked'; readonly asked: DecisionReason }

  /** What is allowed. */
  | { readonly code: 'read_only' }
  | { readonly code: 'own_model' }
  | { readonly code: 'inside_app' }
  | { readonly code: 'read_inside' }
  | { readonly code: 'command_reads' }
  | { readonly code: 'secret_file_allowed'; readonly path: string }
  | { readonly code: 'plain_variable' }
  | { readonly code: 'public_address' }
  | { readonly code: 'named_host' }
  | { readonly code: 'documentation' }
  | { readonly code: 'search_service' }
  | { readonly code: 'own_account' }
  /** Counted for as long as the conversation is there: which links are followed can say something. */
  | { readonly code: 'seen_link'; readonly url: string; readonly domain: string }
  /** Each for an access of its own. */
  | { readonly code: 'all_of'; readonly reasons: readonly DecisionReason[] }
  /** Labels of the rules. */
  | { readonly code: 'rules'; readonly rules: readonly string[] }
  | { readonly code: 'allowed_once' }
  | { readonly code: 'allowed_reviewed' }
  /** With variables that commands are not given otherwise. */
  | { readonly code: 'allowed_with_variables'; readonly names: readonly string[] }
  /** `rule`: label of the rule that was kept. */
  | { readonly code: 'allowed_and_kept'; readonly scope: KeptFor; readonly rule: string }
  | { readonly code: 'flag_allows'; readonly flag: ApproveFlag }

  /** What is not. `asked`: why it would have asked. */
  | { readonly code: 'declined' }
  | { readonly code: 'not_confirmed' }
  | { readonly code: 'flag_denies'; readonly flag: ApproveFlag; readonly asked: DecisionReason }
  | { readonly code: 'nobody_asked'; readonly asked: DecisionReason }
  | { readonly code: 'terminal_ended' }
  | { readonly code: 'consent_page_ended' }
  | { readonly code: 'write_outside' }
  | { readonly code: 'outside_roots' }
  | { readonly code: 'private_network_off' }
  | { readonly code: 'kept_changing' }
  | { readonly code: 'rule_not_offered' }
  | { readonly code: 'stopped' }

  /** What never could be a call. */
  | { readonly code: 'unknown_tool' }
  /** `needs` completes "it needs …". */
  | { readonly code: 'tool_unavailable'; readonly needs: string }
  | { readonly code: 'tool_disabled' }
  | { readonly code: 'invalid_json' }
  | { readonly code: 'invalid_input' }
  | { readonly code: 'impossible' }

  /** A sentence of an older version that no code is known of. */
  | { readonly code: 'text'; readonly text: string };

export type ApproveFlag = 'none' | 'reads' | 'all';

/** How long a rule holds. */
export type KeptFor = 'conversation' | 'always';

export type GrantSubject =
  | 'workspace'
  | 'folder'
  | 'endpoint'
  | 'provider'
  | 'mcp-server'
  | 'mcp-classes'
  | 'mcp-text'
  | 'rule'
  | 'tool'
  | 'key';

type Code = DecisionReason['code'];
type ReasonOf<C extends Code> = Extract<DecisionReason, { code: C }>;

const TEXTS: { readonly [C in Code]: string | ((reason: ReasonOf<C>) => string) } = {
  ...MCP_REASON_TEXTS,
  send: 'Sending in your name always asks.',
  command: 'Running a command asks first, unless a rule of yours allows exactly this command in this folder.',
  shell_line: `Running a command asks first. ${noRuleText('shell_line')}`,
  command_without_rule: ({ why }) => `Running a command asks first. ${noRuleText(why)}`,
  command_untrusted:
    'While text from outside is in this conversation, running a command asks, unless you allowed exactly this command here and it was there already.',
  repository: ({ repository }) =>
    `Looking into the repository ${repository} with git asks once. What it shows can hold everything that was ever committed there.`,
  unreviewed_files: ({ paths }) =>
    `${someOf(paths)} ${paths.length === 1 ? 'was' : 'were'} changed after text from outside was read. Until you have looked at ${paths.length === 1 ? 'it' : 'them'}, no rule answers for commands there.`,
  write: 'Changing files asks first, unless a rule of yours allows edits in that folder.',
  private_network: 'Reaching your own machine or network asks first, unless a rule of yours allows that host.',
  secret_variable: 'This variable may hold a secret, so reading it asks every time.',
  secret_file: ({ path }) =>
    `${path} usually holds secrets, so reading it asks. A yes counts for this file in this conversation.`,
  memory_marked: 'Text from outside is in this conversation, so writing to memory asks.',
  other_model_marked:
    'Private text and text from outside are both in this conversation, so handing text to another model asks.',
  effects_unstated: 'This tool does not say what the call would touch, so it asks.',
  read_outside: ({ path }) => `${path} is outside the workspace and the folders that you granted, so reading it asks.`,
  address_not_named: ({ address }) =>
    `Private text and text from outside are both in this conversation, and you have not named or allowed ${address}.`,
  address_composed: ({ address }) =>
    `Private text is in this conversation, and you have not named or allowed ${address}: an address that the assistant writes could carry some of that text.`,
  link_carries: ({ carries, address }) =>
    `Private text is in this conversation, and this request sends ${carries === 'body' ? 'a body' : 'headers'} that the assistant wrote to ${address}, which you have not named or allowed.`,
  link_while_secret: ({ address }) =>
    `The text of a secret file is in this conversation, and you have not named or allowed ${address}: the choice of links could spell it out.`,
  links_followed: ({ count, domain }) =>
    `The assistant has followed ${count} links${domain === undefined ? '' : ` on ${domain}`} in this conversation without asking. Private text is in it, and the choice of links could spell some of it out.`,
  service_marked: ({ address }) =>
    `Private text and text from outside are both in this conversation, so the first request to ${address} asks.`,
  permission_grant: ({ key, subject, state }) =>
    `${key} ${GRANT_STATES[state]}. It names ${GRANT_SUBJECTS[subject]}, so it takes effect only if you confirm it.`,
  undo: ({ tools }) => `This takes back what ${listed(tools.map(calledTool))} did. Taking it back cannot be undone.`,
  message_not_seen:
    'Steward did not see you type this message and press Enter or Send. Dictation or another program may have written it, or something that took over the chat.',
  tool_line_not_typed:
    'This message runs a tool, and Steward did not see you type or paste it like this: something that took over the chat may have written it.',
  link_not_in_conversation:
    'This address stands nowhere in this conversation: something that took over the chat may have made it up to send out what it knows.',
  link_by_assistant:
    'Private text is in this conversation, and only the assistant wrote this address: opening it could carry some of that text to whoever is there.',
  review:
    'Tools changed this after text from outside was read. Until you have looked at it, no rule answers for commands in its folder.',
  changed_while_asked: ({ asked }) =>
    `What this would ${asked.code === 'undo' || asked.code === 'review' ? 'change became different' : 'touch changed'} while you were being asked, so you are asked again. ${decisionReasonText(asked)}`,

  read_only: 'It only looks, and changes nothing.',
  own_model: 'Asking a model that you configured is allowed.',
  inside_app: 'It stays inside Steward.',
  secret_file_allowed: ({ path }) => `You allowed reading ${path} in this conversation.`,
  plain_variable: 'This variable is on the list of those that hold no secrets.',
  read_inside: 'Reading in the workspace and the folders that you granted is allowed.',
  command_reads: 'It only reads, inside the workspace and the folders that you granted.',
  public_address: 'Reading public addresses is allowed.',
  named_host: 'Reading from a host that you named is allowed.',
  documentation: 'Reading documentation is allowed.',
  search_service: 'Searching with a service that is set up is allowed.',
  own_account: 'Reading from an account of yours is allowed.',
  seen_link: 'Following a link from a search result, or from a page that you or a search led to, is allowed.',
  all_of: ({ reasons }) => reasons.map(decisionReasonText).join(' '),
  rules: ({ rules }) => `A rule of yours allows it: ${rules.join('; ')}.`,
  allowed_once: 'You allowed it this once.',
  allowed_reviewed: 'You looked at the changed files, and allowed it.',
  allowed_with_variables: ({ names }) => `You allowed it this once, and passed it ${names.join(', ')}.`,
  allowed_and_kept: ({ scope, rule }) =>
    `You allowed it, and ${scope === 'conversation' ? 'for this conversation' : 'always'}: ${rule}.`,
  flag_allows: ({ flag }) => `--approve ${flag} allows it.`,

  declined: 'You declined it.',
  not_confirmed: 'You did not confirm it.',
  flag_denies: ({ flag, asked }) =>
    `--approve ${flag} ${flag === 'none' ? 'denies everything that asks' : 'does not answer for this'}. ${decisionReasonText(asked)}`,
  nobody_asked: ({ asked }) =>
    `Nobody could be asked: there is no terminal, and --approve was not given. ${decisionReasonText(asked)}`,
  consent_page_ended: 'The surface that asks you stopped working, so it was denied.',
  terminal_ended: 'The input of the terminal ended before there was an answer.',
  write_outside: 'Nothing is changed outside the workspace and the folders that you granted.',
  outside_roots: 'Outside the workspace and the folders that you granted',
  private_network_off:
    'Reaching your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
  kept_changing: 'What the call would touch kept changing while you were being asked.',
  rule_not_offered: 'The answer would have kept a rule that was not offered, so nothing was allowed.',
  stopped: 'Stopped before it was decided',

  unknown_tool: 'There is no such tool.',
  tool_unavailable: ({ needs }) => `The tool is not available: it needs ${needs}.`,
  tool_disabled: 'The tool is disabled.',
  invalid_json: 'The input is not valid JSON.',
  invalid_input: 'The call is not valid.',
  impossible: 'The call cannot be made as it is',

  text: ({ text }) => text,
};

/** The links that were followed by what this allows. */
export function seenLinksIn(reason: DecisionReason): readonly ReasonOf<'seen_link'>[] {
  if (reason.code === 'all_of') return reason.reasons.flatMap(seenLinksIn);
  return reason.code === 'seen_link' ? [reason] : [];
}

const GRANT_STATES = {
  new: 'is new',
  replaced: 'would be replaced',
  changed: 'was changed since you confirmed it',
} as const;

const GRANT_SUBJECTS: Readonly<Record<GrantSubject, string>> = {
  workspace: 'a folder to work in',
  folder: 'a folder that tools may read and change',
  endpoint: 'an address that keys and conversations are sent to',
  provider: 'a model provider that keys and conversations are sent to',
  'mcp-server': 'a program or server whose tools the assistant may use',
  'mcp-classes': 'what tools of a server do, and so which of them run without asking',
  'mcp-text': 'whose text a server brings, and so how much is asked afterwards',
  rule: 'a rule that answers in your place',
  tool: 'a tool that the assistant may use',
  key: 'the account that conversations and requests go to',
};

const MOST_NAMED = 3;

/** Paths may be many; a card shows each of them. */
function someOf(paths: readonly string[]): string {
  const others = paths.length - MOST_NAMED;
  if (others < 2) return listed(paths);
  return `${paths.slice(0, MOST_NAMED).join(', ')} and ${others} other files`;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function isReasonCode(code: string): code is Code {
  return Object.hasOwn(TEXTS, code);
}

/** As `ask --json` and exports have it. */
export function decisionReasonText(reason: DecisionReason): string {
  const text = TEXTS[reason.code] as string | ((reason: DecisionReason) => string);
  return typeof text === 'string' ? text : text(reason);
}

/** Why it is asked, where why there is no rule is said elsewhere. */
export function askingText(reason: DecisionReason): string {
  if (reason.code === 'shell_line' || reason.code === 'command_without_rule') return 'Running a command asks first.';
  return decisionReasonText(reason);
}

/** Why no rule is offered for what asks for this reason. */
export function whyNoOffer(reason: DecisionReason): NoOfferReason {
  switch (reason.code) {
    case 'changed_while_asked':
      return whyNoOffer(reason.asked);
    case 'command_without_rule':
      return reason.why;
    case 'shell_line':
      return 'shell_line';
    case 'unreviewed_files':
      return 'unreviewed';
    case 'send':
      return 'sending';
    case 'secret_variable':
    case 'secret_file':
      return 'secret';
    case 'memory_marked':
      return 'memory';
    case 'effects_unstated':
      return 'unstated';
    case 'other_model_marked':
    case 'link_carries':
    case 'link_while_secret':
    case 'links_followed':
    case 'service_marked':
      return 'private_text';
    default:
      return 'none_fits';
  }
}

/** Three of them have no full stop in `ask --json`, which scripts rely on. */
const WITHOUT_FULL_STOP: ReadonlySet<Code> = new Set(['outside_roots', 'stopped', 'impossible']);

/** As it stands in running text. */
export function decisionReasonSentence(reason: DecisionReason): string {
  const text = decisionReasonText(reason);
  return WITHOUT_FULL_STOP.has(reason.code) ? `${text}.` : text;
}
