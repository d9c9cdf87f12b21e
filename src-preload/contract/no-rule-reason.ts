/** Why no rule may allow a command. To add a reason, add a member and its text below. */
export type NoRuleReason =
  | 'deletes'
  | 'overwrites'
  | 'fetches'
  | 'sends'
  | 'commits'
  | 'power'
  | 'system'
  | 'code'
  | 'opens'
  | 'input'
  | 'database'
  | 'shell_builtin'
  | 'unreadable';

/** Why a card offers no rule. */
export type NoOfferReason =
  | NoRuleReason
  /** A line with more than plain commands, pipes and `&&`. */
  | 'shell_line'
  | 'unreviewed'
  | 'sending'
  | 'secret'
  | 'memory'
  | 'unstated'
  | 'shared_calendar'
  | 'private_text'
  /** The program that brought the tool wants each call asked about. */
  | 'client_asks'
  /** One answer covers the conversation. */
  | 'client_once'
  /** Similar calls are asked about together, and no rule is offered for all of them. */
  | 'not_for_all'
  | 'none_fits';

const TEXTS: Readonly<Record<NoOfferReason, string>> = {
  deletes: 'Steward always asks about commands that delete.',
  overwrites: 'Steward always asks about commands that move, copy or overwrite files.',
  fetches: 'Steward always asks about commands that fetch something.',
  sends: 'Steward always asks about commands that send or publish something.',
  commits: 'Steward always asks about git commands that change, fetch or push commits, or discard changes.',
  power: 'Steward always asks about commands that run as another user.',
  system: 'Steward always asks about commands that stop programs or change the system.',
  code: 'Steward always asks about commands that contain code.',
  opens: 'No rule can cover this, because the program that opens it can change.',
  input: 'Steward always asks about commands that run what their input tells them to.',
  database: 'Steward always asks about database commands.',
  shell_builtin: 'Steward always asks about commands that are built into the shell.',
  unreadable: 'Steward always asks about commands that are very long or contain invisible characters.',
  shell_line: 'Steward always asks about command lines with more than plain commands, pipes and &&.',
  unreviewed: 'Steward asks until you have reviewed the changed files.',
  sending: 'Sending can’t be allowed in advance.',
  secret: 'Steward always asks before a secret is read.',
  memory: 'Steward asks about this while text from outside is in the conversation.',
  unstated: 'Steward always asks about tools that don’t declare their effects.',
  shared_calendar: 'Steward always asks about calendars that other people may see.',
  private_text: 'Steward asks about this while private text is in the conversation.',
  client_asks: 'The program wants you to be asked each time.',
  client_once: 'Allowing it once covers this tool in this conversation.',
  not_for_all: 'No single rule would cover all of these.',
  none_fits: 'No rule would cover this.',
};

export function noRuleText(reason: NoOfferReason): string {
  return TEXTS[reason];
}
