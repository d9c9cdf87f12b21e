import type { ApproveFlag, DecisionReason } from '../../../../../src-preload/contract/decision-reason.ts';

/** A sentence whose meaning has changed since, such as that of commands, stays text. */
const SENTENCES: ReadonlyMap<string, DecisionReason> = new Map<string, DecisionReason>([
  ['Sending in your name always asks.', { code: 'send' }],
  ['Changing files asks first, unless a rule of yours allows edits in that folder.', { code: 'write' }],
  [
    'Reaching your own machine or network asks first, unless a rule of yours allows that host.',
    { code: 'private_network' },
  ],
  ['This variable looks like it holds a secret, so reading it asks every time.', { code: 'secret_variable' }],
  [
    'Private text and text from outside are both in this conversation, so writing to memory asks.',
    { code: 'memory_marked' },
  ],
  [
    'Private text and text from outside are both in this conversation, so handing text to another model asks.',
    { code: 'other_model_marked' },
  ],
  ['This tool does not say what the call would touch, so it asks.', { code: 'effects_unstated' }],
  ['You allowed it this once.', { code: 'allowed_once' }],
  ['You declined it.', { code: 'declined' }],
  ['The input of the terminal ended before there was an answer.', { code: 'terminal_ended' }],
  ['Nothing is changed outside the workspace and the folders that you granted.', { code: 'write_outside' }],
  ['Outside the workspace and the folders that you granted', { code: 'outside_roots' }],
  [
    'Reaching your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
    { code: 'private_network_off' },
  ],
  ['What the call would touch kept changing while you were being asked.', { code: 'kept_changing' }],
  ['The answer would have kept a rule that was not offered, so nothing was allowed.', { code: 'rule_not_offered' }],
  ['Stopped before it was decided', { code: 'stopped' }],
  ['There is no such tool.', { code: 'unknown_tool' }],
  ['The tool is disabled.', { code: 'tool_disabled' }],
  ['The input is not valid JSON.', { code: 'invalid_json' }],
  ['The call is not valid.', { code: 'invalid_input' }],
  ['The call cannot be made as it is', { code: 'impossible' }],
]);

/** One for each allowed access, in order. */
const ALLOWED: readonly (readonly [sentence: string, reason: DecisionReason])[] = [
  ['It only looks, and changes nothing.', { code: 'read_only' }],
  ['Asking a model that you configured is allowed.', { code: 'own_model' }],
  ['It stays inside Steward.', { code: 'inside_app' }],
  ['Reading in the workspace and the folders that you granted is allowed.', { code: 'read_inside' }],
  ['Reading public addresses is allowed.', { code: 'public_address' }],
];

/** Sentences with parameters: which one is `first` and which `second`. */
const PATTERNS: readonly (readonly [pattern: RegExp, reason: (first: string, second: string) => DecisionReason])[] = [
  [/^--approve (none|reads|all) allows it\.$/, (flag) => ({ code: 'flag_allows', flag: flagOf(flag) })],
  [
    /^--approve (none|reads|all) (?:denies everything that asks|does not answer for this)\. ([\s\S]*)$/,
    (flag, asked) => ({ code: 'flag_denies', flag: flagOf(flag), asked: reasonOf(asked) }),
  ],
  [
    /^Nobody could be asked: there is no terminal, and --approve was not given\. ([\s\S]*)$/,
    (asked) => ({ code: 'nobody_asked', asked: reasonOf(asked) }),
  ],
  [
    /^What this would touch changed while you were being asked, so you are asked again\. ([\s\S]*)$/,
    (asked) => ({ code: 'changed_while_asked', asked: reasonOf(asked) }),
  ],
  [/^A rule of yours allows it: ([\s\S]*)\.$/, (rules) => ({ code: 'rules', rules: [rules] })],
  [
    /^You allowed it, and for this conversation: ([\s\S]*)\.$/,
    (rule) => ({ code: 'allowed_and_kept', scope: 'conversation', rule }),
  ],
  [/^You allowed it, and always: ([\s\S]*)\.$/, (rule) => ({ code: 'allowed_and_kept', scope: 'always', rule })],
  [/^The tool is not available: it needs ([\s\S]*)\.$/, (needs) => ({ code: 'tool_unavailable', needs })],
  [
    /^([\s\S]*) is outside the workspace and the folders that you granted, so reading it asks\.$/,
    (path) => ({ code: 'read_outside', path }),
  ],
  [
    /^Private text and text from outside are both in this conversation, and you have not named or allowed ([\s\S]*)\.$/,
    (address) => ({ code: 'address_not_named', address }),
  ],
];

/** An unknown sentence, which a later version may have changed, stays text. */
export function reasonOf(text: string): DecisionReason {
  const plain = SENTENCES.get(text);
  if (plain !== undefined) return plain;
  for (const [pattern, reason] of PATTERNS) {
    const [found, first = '', second = ''] = pattern.exec(text) ?? [];
    if (found !== undefined) return reason(first, second);
  }
  return allowedReason(text) ?? { code: 'text', text };
}

function allowedReason(text: string): DecisionReason | undefined {
  const reasons: DecisionReason[] = [];
  for (let rest = text; rest !== ''; ) {
    const next = ALLOWED.find(([sentence]) => rest === sentence || rest.startsWith(`${sentence} `));
    if (next === undefined) return undefined;
    reasons.push(next[1]);
    rest = rest.slice(next[0].length + 1);
  }
  const [only] = reasons;
  return reasons.length === 1 ? only : reasons.length === 0 ? undefined : { code: 'all_of', reasons };
}

function flagOf(flag: string): ApproveFlag {
  return flag === 'none' || flag === 'reads' ? flag : 'all';
}
