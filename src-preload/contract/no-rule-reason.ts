/** Why no rule may answer for a command. To add one: a member, and its words below. */
export type NoRuleReason =
  | 'deletes'
  | 'overwrites'
  | 'fetches'
  | 'sends'
  | 'commits'
  | 'power'
  | 'system'
  | 'code'
  | 'input'
  | 'database'
  | 'shell_builtin'
  | 'unreadable';

const TEXTS: Readonly<Record<NoRuleReason, string>> = {
  deletes: 'No rule is offered for commands that delete.',
  overwrites: 'No rule is offered for commands that move, copy or overwrite files.',
  fetches: 'No rule is offered for commands that fetch something.',
  sends: 'No rule is offered for commands that send or publish something.',
  commits: 'No rule is offered for git commands that change, fetch or send commits or discard changes.',
  power: 'No rule is offered for commands that run with the rights of another user.',
  system: 'No rule is offered for commands that stop programs or change the system.',
  code: 'No rule is offered for commands with code in them.',
  input: 'No rule is offered for commands whose input says what they run.',
  database: 'No rule is offered for commands on a database.',
  shell_builtin: 'No rule is offered for commands that are part of the shell.',
  unreadable: 'No rule is offered for commands that are too long, or have invisible characters in them.',
};

export function noRuleText(reason: NoRuleReason): string {
  return TEXTS[reason];
}
