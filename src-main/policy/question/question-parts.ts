import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { ShownMark } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import type { Preview, TouchedAccess } from '../access.ts';
import type { DiffPreview } from '../diff-preview.ts';
import type { AskedBy } from '../gate-call.ts';
import type { Finding } from '../mcp/misleading-text.ts';
import type { ParameterInWords } from '../mcp/parameter-words.ts';
import type { ClassChoice } from '../mcp/tool-class.ts';

/** Something to read before answering. A new kind needs a member here, a title below, and a branch in each surface. */
export type QuestionPart =
  /** The consequences of allowing, the gravest first. `steps` are the grave steps of a long line. */
  | { readonly kind: 'consequences'; readonly consequences: readonly Consequence[]; readonly steps: readonly string[] }
  /** What was read in this conversation, each source once. */
  | { readonly kind: 'read'; readonly marks: readonly ShownMark[] }
  | { readonly kind: 'touches'; readonly accesses: readonly TouchedAccess[] }
  /** `line` is as one would type it; `steps` cover all of it. */
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly steps: readonly CommandStep[];
      readonly directory: string;
    }
  /** The names of the variables that the command doesn't get unless the user passes them. */
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  | Preview
  /** A file that a tool changed after text from outside was read. It is shown as it was before and as it is now. */
  | { readonly kind: 'unreviewed'; readonly change: DiffPreview }
  /** Steward's own words, without anything untrusted. */
  | { readonly kind: 'note'; readonly title: string; readonly text: string }
  /** A warning before a rule is added. */
  | { readonly kind: 'caution'; readonly code: CautionCode }
  /** The model of another provider makes this call, because a call of this tool asked it. */
  | ({ readonly kind: 'asked-by' } & AskedBy)
  /**
   * The model's own reason for the call. `by` is the provider of that model, or null for the model of the conversation.
   */
  | { readonly kind: 'said'; readonly text: string; readonly by: string | null }
  /**
   * All arguments, of which there may be none. `derived` has those that other parts already show or that have the
   * tool's default value.
   */
  | { readonly kind: 'arguments'; readonly values: readonly NamedText[]; readonly derived: readonly NamedText[] }
  /** The value that would take effect. `standing` is the current one, or null if there is none. */
  | { readonly kind: 'value'; readonly title: string; readonly text: string; readonly standing: string | null }
  /**
   * An MCP server's definition of a tool, or its instructions. `before` is the accepted version, or null if there is
   * none.
   */
  | {
      readonly kind: 'definition';
      readonly of: 'tool' | 'instructions';
      readonly name: string;
      readonly before: string | null;
      /** Everything that is accepted with a yes. */
      readonly now: string;
      /** The description of the tool, or the whole text of instructions. */
      readonly description: string;
      readonly parameters: readonly ParameterInWords[];
      /** The user has to look at each of these before accepting. */
      readonly findings: readonly Finding[];
      readonly choice?: ClassChoice;
    }
  /** The changes that an undo would leave as they are. */
  | { readonly kind: 'stays'; readonly refused: readonly UndoRefusal[] };

/** A part of a line, including the operator before it. */
export interface CommandStep {
  readonly text: string;
  readonly isGrave: boolean;
}

/** With `rules_meet`, a rule for edits and one for commands would both apply. */
type CautionCode = 'rules_meet';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

const TITLES: Readonly<
  Record<Exclude<QuestionPart['kind'], 'text' | 'note' | 'value' | 'definition' | 'said'>, string>
> = {
  consequences: 'What this does',
  read: 'Read in this conversation',
  touches: 'Affects',
  command: 'Command',
  withheld: 'Not passed to the command, because they look like secrets',
  diff: 'Change to the file',
  unreviewed: 'Changed after text from outside was read',
  'asked-by': 'Asked by',
  caution: 'Before you add a rule',
  arguments: 'Full details',
  stays: 'Not undone',
};

/** The part's title, which is the same on every surface. The title of a text is untrusted. */
export function partTitle(part: QuestionPart): string {
  if (part.kind === 'text' || part.kind === 'note' || part.kind === 'value') return part.title;
  if (part.kind === 'definition') return definitionTitle(part);
  if (part.kind === 'said') return part.by === null ? 'The assistant says' : `The model of ${part.by} says`;
  return part.kind === 'diff' && part.isNewFile ? 'New file' : TITLES[part.kind];
}

function definitionTitle({ of, before }: Extract<QuestionPart, { kind: 'definition' }>): string {
  if (of === 'instructions')
    return before === null ? 'Instructions of the server' : 'Changed instructions of the server';
  return before === null ? 'New tool' : 'Changed tool';
}

const CAUTIONS: Readonly<Record<CautionCode, string>> = {
  rules_meet:
    'With a rule for edits and a rule for commands, files that the assistant changes could run as code without a question.',
};

export function cautionText(code: CautionCode): string {
  return CAUTIONS[code];
}

/** The title of a current value. */
export const STANDING_TITLE = 'Current value';

/** The consequence, as the part of a question about one thing. */
export function consequencePart(consequence: Consequence): QuestionPart {
  return { kind: 'consequences', consequences: [consequence], steps: [] };
}

/** Returns strings unchanged and anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value, 2);
}

/** Names the model that makes the call, and the tool that asked it: `flash (ask_flash)`. */
export function askedByText({ provider, tool }: AskedBy): string {
  return `${provider} (${tool})`;
}
