import { ACCOUNT_REASON_TEXTS, type AccountReason } from './account-reason.ts';
import { CLIENT_REASON_TEXTS, type ClientReason } from './client-reason.ts';
import { type GrantReason, grantQuestionText, grantReasonText } from './grant-reason.ts';
import { MCP_REASON_TEXTS, type McpReason } from './mcp-reason.ts';
import { type NoOfferReason, type NoRuleReason, noRuleText } from './no-rule-reason.ts';
import { calledTool } from './undo-refusal.ts';

export type { GrantSubject } from './grant-reason.ts';

/**
 * Why something was allowed, denied or asked about. It is stored as a code with parameters; the sentence is made here,
 * for the terminal and the window. To add one, add a member and its text below.
 */
export type DecisionReason =
  | AccountReason
  | ClientReason
  | McpReason
  /** These are reasons to ask, named after the access that decided. */
  | { readonly code: 'send' }
  | { readonly code: 'command' }
  /** A shell line with more than plain commands, pipes and `&&`. */
  | { readonly code: 'shell_line' }
  | { readonly code: 'command_without_rule'; readonly why: NoRuleReason }
  | { readonly code: 'command_untrusted' }
  /** `repository` is the real path of its working tree. */
  | { readonly code: 'repository'; readonly repository: string }
  /** Real paths of files that a tool changed after text from outside was read. */
  | { readonly code: 'unreviewed_files'; readonly paths: readonly string[] }
  | { readonly code: 'write' }
  | { readonly code: 'private_network' }
  /** A variable that is not on the list of variables without secrets. */
  | { readonly code: 'secret_variable' }
  | { readonly code: 'secret_file'; readonly path: string }
  | { readonly code: 'memory_marked' }
  | { readonly code: 'clipboard_read' }
  | { readonly code: 'clipboard_write' }
  | { readonly code: 'other_model_marked' }
  | { readonly code: 'effects_unstated' }
  | { readonly code: 'read_outside'; readonly path: string }
  /** The model wrote the address while private text was there. `address` is a host, or the URL if it has none. */
  | { readonly code: 'address_composed'; readonly address: string }
  /** Text from outside is there, and the page opens in the user's browser. */
  | { readonly code: 'browser_untrusted'; readonly address: string }
  /** Older versions used this code; they asked only while text from outside was there too. */
  | { readonly code: 'address_not_named'; readonly address: string }
  /** A seen link, requested with a body or headers that the model wrote. */
  | { readonly code: 'link_carries'; readonly carries: 'headers' | 'body'; readonly address: string }
  | { readonly code: 'link_while_secret'; readonly address: string }
  /** A link of a mail. A yes covers the sender's links to these hosts. */
  | { readonly code: 'mail_link'; readonly sender: string; readonly hosts: readonly string[] }
  /** This many links were followed, on this domain or in total. */
  | { readonly code: 'links_followed'; readonly count: number; readonly domain?: string }
  /** A search service, or a model that the user configured. */
  | { readonly code: 'service_marked'; readonly address: string }
  /** A command in a sandbox wants to connect to this host, with its port if that is an unusual one. */
  | { readonly code: 'connection'; readonly host: string }
  | { readonly code: 'connection_marked'; readonly host: string }
  /**
   * The value of this key would give the assistant more power. `changed` is set if another value was confirmed before.
   */
  | ({ readonly code: 'permission_grant' } & GrantReason)
  /** An undo of calls of these tools. Null stands for a tool that is no longer known. */
  | { readonly code: 'undo'; readonly tools: readonly (string | null)[] }
  | { readonly code: 'redo'; readonly tools: readonly (string | null)[] }
  /** Main did not see the user type and send this message. */
  | { readonly code: 'message_not_seen' }
  /** The line calls a tool, and main's record of typed and pasted text does not contain it. */
  | { readonly code: 'tool_line_not_typed' }
  /** The page wants to open an address that does not appear in the conversation. */
  | { readonly code: 'link_not_in_conversation' }
  | { readonly code: 'link_by_assistant' }
  | { readonly code: 'mail_link_not_by_user' }
  /** The user wants to be asked also about commands that can change nothing. */
  | { readonly code: 'every_command' }
  /** Files that a tool changed after text from outside was read need a review. */
  | { readonly code: 'review' }
  | { readonly code: 'pairing' }
  /** Steward asked for this reason, and the effects have changed since. */
  | { readonly code: 'changed_while_asked'; readonly asked: DecisionReason }

  /** These are reasons to allow. */
  | { readonly code: 'read_only' }
  | { readonly code: 'own_model' }
  | { readonly code: 'inside_app' }
  | { readonly code: 'read_inside' }
  | { readonly code: 'command_reads' }
  | { readonly code: 'command_held' }
  | { readonly code: 'secret_file_allowed'; readonly path: string }
  | { readonly code: 'plain_variable' }
  | { readonly code: 'public_address' }
  | { readonly code: 'named_host' }
  | { readonly code: 'connection_named' }
  | { readonly code: 'documentation' }
  | { readonly code: 'search_service' }
  | { readonly code: 'own_account' }
  /** Counted for the whole conversation, because the choice of links can leak information. */
  | { readonly code: 'seen_link'; readonly url: string; readonly domain: string }
  /** The user allowed the links of its sender. Counted like `seen_link`. */
  | { readonly code: 'mail_link_allowed'; readonly url: string; readonly domain: string; readonly sender: string }
  /** One for each access. */
  | { readonly code: 'all_of'; readonly reasons: readonly DecisionReason[] }
  /** The labels of the rules. */
  | { readonly code: 'rules'; readonly rules: readonly string[] }
  | { readonly code: 'allowed_once' }
  | { readonly code: 'allowed_reviewed' }
  /** The command gets variables that are normally withheld from commands. */
  | { readonly code: 'allowed_with_variables'; readonly names: readonly string[] }
  /** `rule` is the label of the rule that was added. */
  | { readonly code: 'allowed_and_kept'; readonly scope: KeptFor; readonly rule: string }
  | { readonly code: 'flag_allows'; readonly flag: ApproveFlag }

  /** These are reasons to deny. `asked` is why Steward would have asked. */
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

  /** Calls that could not be made. */
  | { readonly code: 'unknown_tool' }
  /** `needs` completes "it needs …". */
  | { readonly code: 'tool_unavailable'; readonly needs: string }
  | { readonly code: 'tool_disabled' }
  | { readonly code: 'invalid_json' }
  | { readonly code: 'invalid_input' }
  | { readonly code: 'impossible' }

  /** A sentence from an older version without a known code. */
  | { readonly code: 'text'; readonly text: string };

export type ApproveFlag = 'none' | 'reads' | 'all';

/** How long a rule applies. */
export type KeptFor = 'conversation' | 'week' | 'always';

type Code = DecisionReason['code'];
type ReasonOf<C extends Code> = Extract<DecisionReason, { code: C }>;

const KEPT_TEXTS: Readonly<Record<KeptFor, string>> = {
  conversation: 'You allowed it for this conversation',
  week: 'You allowed it for a week',
  always: 'You always allow it',
};

const BEFORE_COMMANDS = 'Steward asks before it runs a command.';
const BEFORE_OPENING = 'Steward asks before it opens anything in another program.';

const TEXTS: { readonly [C in Code]: string | ((reason: ReasonOf<C>) => string) } = {
  ...ACCOUNT_REASON_TEXTS,
  ...CLIENT_REASON_TEXTS,
  ...MCP_REASON_TEXTS,
  send: 'Steward always asks before it sends anything in your name.',
  command:
    'Steward asks before it runs a command, unless one of your rules allows exactly this command in this folder.',
  shell_line: `${BEFORE_COMMANDS} ${noRuleText('shell_line')}`,
  command_without_rule: (reason) => `${askingText(reason)} ${noRuleText(reason.why)}`,
  command_untrusted:
    'Text from outside is in this conversation, so Steward asks before it runs a command, unless you allowed exactly this command after that text was read.',
  repository: ({ repository }) =>
    `Steward asks once before it reads the repository ${repository} with git. The output can contain anything that was ever committed there.`,
  unreviewed_files: ({ paths }) =>
    `${someOf(paths)} ${paths.length === 1 ? 'was' : 'were'} changed after text from outside was read. Until you have reviewed ${paths.length === 1 ? 'it' : 'them'}, your rules for commands there do not apply.`,
  write: 'Steward asks before it changes files, unless one of your rules allows edits in that folder.',
  private_network:
    'Steward asks before it connects to your own machine or network, unless one of your rules allows that host.',
  secret_variable: 'This variable may contain a secret, so Steward asks each time before it is read.',
  secret_file: ({ path }) =>
    `${path} usually contains secrets, so Steward asks before it is read. Your permission covers this file in this conversation.`,
  clipboard_read: 'What you copied may be private, so Steward asks each time before a model reads it.',
  clipboard_write: 'What is on the clipboard may be pasted anywhere, so Steward asks each time before it is replaced.',
  memory_marked: 'Text from outside is in this conversation, so Steward asks before it writes to memory.',
  other_model_marked:
    'Private text and text from outside are both in this conversation, so Steward asks before it sends text to another model.',
  effects_unstated: 'This tool doesn’t declare its effects, so Steward asks.',
  read_outside: ({ path }) =>
    `${path} is outside the workspace and the folders you granted, so Steward asks before it is read.`,
  address_not_named: ({ address }) =>
    `Private text and text from outside are both in this conversation, and you have not named or allowed ${address}.`,
  address_composed: ({ address }) =>
    `Private text is in this conversation, and you have not named or allowed ${address}. An address that the assistant writes could leak some of that text.`,
  browser_untrusted: ({ address }) =>
    `Text from outside is in this conversation, and you have not named or allowed ${address}. It would open in your browser, where you are signed in.`,
  link_carries: ({ carries, address }) =>
    `Private text is in this conversation, and this request sends ${carries === 'body' ? 'a body' : 'headers'} that the assistant wrote to ${address}, which you have not named or allowed.`,
  link_while_secret: ({ address }) =>
    `The text of a secret file is in this conversation, and you have not named or allowed ${address}. The choice of links could leak it.`,
  mail_link: ({ sender, hosts }) =>
    `This link is in a mail from ${sender}. If you allow it, links in mails from this sender to ${listed(hosts)} can be followed in this conversation.`,
  links_followed: ({ count, domain }) =>
    `The assistant has followed ${count} links${domain === undefined ? '' : ` on ${domain}`} in this conversation without asking. Private text is in it, and the choice of links could leak some of it.`,
  service_marked: ({ address }) =>
    `Private text and text from outside are both in this conversation, so Steward asks before the first request to ${address}.`,
  connection: ({ host }) =>
    `Steward asks before a command connects to ${host}, unless you named it or one of your rules allows it in this folder.`,
  connection_marked: ({ host }) =>
    `Text from outside is in this conversation, so Steward asks once in it before a command connects to ${host}.`,
  permission_grant: grantReasonText,
  undo: ({ tools }) => `This undoes what ${listed(tools.map(calledTool))} did.`,
  redo: ({ tools }) => `This makes the changes of ${listed(tools.map(calledTool))} again.`,
  message_not_seen:
    'Steward did not see you type this message and press Enter or Send. Dictation, another program or malicious code in the chat may have written it.',
  tool_line_not_typed:
    'This message runs a tool, and Steward did not see you type or paste it like this. Malicious code in the chat may have written it.',
  link_not_in_conversation:
    'This address does not appear in this conversation. Malicious code in the chat may have made it up to leak what it knows.',
  link_by_assistant:
    'Private text is in this conversation, and only the assistant wrote this address. Opening it could leak some of that text.',
  mail_link_not_by_user:
    'You did not write this link: the assistant, a page or malicious code in the chat did. Check who gets the mail and what it says.',
  review:
    'Tools changed this after text from outside was read. Until you have reviewed it, your rules for commands in its folder do not apply.',
  pairing:
    'A program wants to bring tools into your conversations. Pair only a program that you started yourself just now.',
  changed_while_asked: ({ asked }) =>
    `The effects of this changed while you were being asked, so you are asked again. ${decisionReasonText(asked)}`,

  read_only: 'It only reads and changes nothing.',
  own_model: 'Asking a model that you configured is allowed.',
  inside_app: 'It affects nothing outside Steward.',
  secret_file_allowed: ({ path }) => `You allowed ${path} to be read in this conversation.`,
  plain_variable: 'This variable is on the list of variables without secrets.',
  read_inside: 'Reading in the workspace and the folders you granted is allowed.',
  every_command: 'You want to be asked before every command, also before this one, which can change nothing.',
  command_reads: 'It only reads in the workspace and the folders you granted.',
  command_held: 'It runs in a sandbox in which nothing can be changed and nobody reached.',
  public_address: 'Reading public addresses is allowed.',
  named_host: 'Reading from a host you named is allowed.',
  connection_named: 'Connecting to a host you named is allowed.',
  documentation: 'Reading documentation is allowed.',
  search_service: 'Searching with a service that is set up is allowed.',
  own_account: 'Reading from your own account is allowed.',
  seen_link: 'Following a link from a search result, or from a page that you or a search led to, is allowed.',
  mail_link_allowed: ({ sender }) => `You allowed links in mails from ${sender} to be followed in this conversation.`,
  all_of: ({ reasons }) => reasons.map(decisionReasonText).join(' '),
  rules: ({ rules }) => `Your rules allow it: ${rules.join('; ')}.`,
  allowed_once: 'You allowed it once.',
  allowed_reviewed: 'You reviewed the changed files and allowed it.',
  allowed_with_variables: ({ names }) => `You allowed it once and passed it ${names.join(', ')}.`,
  allowed_and_kept: ({ scope, rule }) => `${KEPT_TEXTS[scope]}: ${rule}.`,
  flag_allows: ({ flag }) => `--approve ${flag} allows it.`,

  declined: 'You declined it.',
  not_confirmed: 'You did not confirm it.',
  flag_denies: ({ flag, asked }) =>
    `--approve ${flag} ${flag === 'none' ? 'denies everything that needs approval' : 'does not cover this'}. ${decisionReasonText(asked)}`,
  nobody_asked: ({ asked }) =>
    `There was no one to ask: there is no terminal, and --approve was not given. ${decisionReasonText(asked)}`,
  consent_page_ended: 'The page that asks for your permission stopped working, so this was denied.',
  terminal_ended: 'The terminal input ended before the question was answered.',
  write_outside: 'Nothing may be changed outside the workspace and the folders you granted.',
  outside_roots: 'Outside the workspace and the folders you granted',
  private_network_off:
    'Connecting to your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
  kept_changing: 'The effects of the call kept changing while you were being asked.',
  rule_not_offered: 'The answer named a rule that was not offered, so nothing was allowed.',
  stopped: 'Stopped before it was decided',

  unknown_tool: 'There is no such tool.',
  tool_unavailable: ({ needs }) => `The tool is not available: it needs ${needs}.`,
  tool_disabled: 'The tool is disabled.',
  invalid_json: 'The input is not valid JSON.',
  invalid_input: 'The call is not valid.',
  impossible: 'The call cannot be made with these arguments',

  text: ({ text }) => text,
};

/** All links followed without a question under this reason. */
export function followedLinksIn(reason: DecisionReason): readonly ReasonOf<'seen_link' | 'mail_link_allowed'>[] {
  if (reason.code === 'all_of') return reason.reasons.flatMap(followedLinksIn);
  return reason.code === 'seen_link' || reason.code === 'mail_link_allowed' ? [reason] : [];
}

const MAX_NAMED = 3;

/** There may be many paths; a card shows each of them. */
function someOf(paths: readonly string[]): string {
  const others = paths.length - MAX_NAMED;
  if (others < 2) return listed(paths);
  return `${paths.slice(0, MAX_NAMED).join(', ')} and ${others} other files`;
}

/** Writes names as `a`, `a and b` or `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function isReasonCode(code: string): code is Code {
  return Object.hasOwn(TEXTS, code);
}

/** The sentence that `ask --json` and exports contain. */
export function decisionReasonText(reason: DecisionReason): string {
  const text = TEXTS[reason.code] as string | ((reason: DecisionReason) => string);
  return typeof text === 'string' ? text : text(reason);
}

/** The reason beside the key of the value, which it does not name again. */
export function reasonBesideKey(reason: DecisionReason): string {
  return decisionReasonText(withoutKey(reason));
}

function withoutKey(reason: DecisionReason): DecisionReason {
  if (reason.code === 'permission_grant') return { ...reason, key: 'It' };
  return 'asked' in reason ? { ...reason, asked: withoutKey(reason.asked) } : reason;
}

/** Why Steward asks, for places that explain the missing rule separately. */
export function askingText(reason: DecisionReason): string {
  if (reason.code === 'command_without_rule' && reason.why === 'opens') return BEFORE_OPENING;
  if (reason.code === 'shell_line' || reason.code === 'command_without_rule') return BEFORE_COMMANDS;
  return questionReasonText(reason);
}

/** The reason for the user who is asked. */
export function questionReasonText(reason: DecisionReason): string {
  return reason.code === 'permission_grant' ? grantQuestionText(reason) : decisionReasonText(reason);
}

/** Why no rule is offered for a question with this reason. */
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
    case 'client_permission':
      return 'client_asks';
    case 'client_untrusted':
      return 'client_once';
    case 'account_shared':
      return 'shared_calendar';
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

/** Three texts have no full stop in `ask --json`, which scripts rely on. */
const WITHOUT_FULL_STOP: ReadonlySet<Code> = new Set(['outside_roots', 'stopped', 'impossible']);

/** The reason as part of running text. */
export function decisionReasonSentence(reason: DecisionReason): string {
  const text = decisionReasonText(reason);
  return WITHOUT_FULL_STOP.has(reason.code) ? `${text}.` : text;
}
