import type { Consequence } from './consequence.ts';
import { type DecisionReason, decisionReasonText } from './decision-reason.ts';

type Code = DecisionReason['code'];

/**
 * Steward asks about everything of its kind, or another part of the card already says it. The full sentence is in the
 * card's details.
 */
const SAYS_NOTHING_NEW: ReadonlySet<Code> = new Set([
  ...(['command', 'shell_line', 'command_without_rule', 'write', 'send', 'account_write', 'mcp_write'] as const),
  // Beside what was read, or the change.
  ...(['command_untrusted', 'memory_marked', 'mcp_write_untrusted', 'account_write_untrusted'] as const),
  ...(['client_untrusted', 'unreviewed_files'] as const),
  // These codes are shown beside the consequences.
  ...(['secret_file', 'secret_variable', 'address_composed', 'address_not_named', 'link_carries'] as const),
  ...([
    'link_while_secret',
    'links_followed',
    'service_marked',
    'other_model_marked',
    'mcp_remote_marked',
    'connection',
  ] as const),
  // These codes are shown beside the place.
  ...(['private_network', 'read_outside', 'account_shared', 'client_permission'] as const),
]);

const SHORT: Readonly<Partial<Record<Code, string>>> = {
  repository: 'Asked once: its history can contain anything that was ever committed.',
  clipboard_read: 'What you copied may be private.',
  clipboard_write: 'What is on the clipboard may be pasted anywhere.',
  effects_unstated: 'This tool doesn’t declare its effects.',
  mcp_claim: 'The server claims that this tool only reads. You haven’t reviewed it.',
  mcp_unknown: 'The server doesn’t say what this tool does. You haven’t reviewed it.',
  mcp_content: 'You haven’t reviewed this server.',
  browser_untrusted: 'It opens in your browser, where you are signed in.',
};

/** What is odd about a call, in one line. Empty if it is nothing that its card doesn’t show anyway. */
export function whyText(reason: DecisionReason): string {
  if (reason.code === 'changed_while_asked')
    return `The effects changed while you were being asked. ${whyText(reason.asked)}`.trim();
  return SHORT[reason.code] ?? (SAYS_NOTHING_NEW.has(reason.code) ? '' : decisionReasonText(reason));
}

const USUAL: ReadonlySet<Consequence['code']> = new Set([
  ...(['unknown_effects', 'changes_files', 'changes_account'] as const),
]);

/** Nearly every question of its kind has it, so it is in the details. */
export function isUsual({ code }: Consequence): boolean {
  return USUAL.has(code);
}
