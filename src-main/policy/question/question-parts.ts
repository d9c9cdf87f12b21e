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

/** Something to read before answering. To add a kind: a member, its title below, and a branch in each surface. */
export type QuestionPart =
  /** The consequences of allowing it, gravest first. `steps` are the grave steps of a longer line. */
  | { readonly kind: 'consequences'; readonly consequences: readonly Consequence[]; readonly steps: readonly string[] }
  /** What was read in this conversation, deduplicated. */
  | { readonly kind: 'read'; readonly marks: readonly ShownMark[] }
  | { readonly kind: 'touches'; readonly accesses: readonly TouchedAccess[] }
  /** `line` is as one would type it; `steps` cover all of it. */
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly steps: readonly CommandStep[];
      readonly directory: string;
    }
  /** Names of variables withheld from the command unless the user passes them. */
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  | Preview
  /** A file that a tool changed after text from outside was read, before and now. */
  | { readonly kind: 'unreviewed'; readonly change: DiffPreview }
  /** Steward's own words, without anything untrusted. */
  | { readonly kind: 'note'; readonly title: string; readonly text: string }
  /** A warning before a rule is added. */
  | { readonly kind: 'caution'; readonly code: CautionCode }
  /** The model of another provider makes this call, because a call of this tool asked it. */
  | ({ readonly kind: 'asked-by' } & AskedBy)
  /**
   * Why the model wants this, in its words. `by` is the provider whose model it is, or null for the model of the
   * conversation.
   */
  | { readonly kind: 'said'; readonly text: string; readonly by: string | null }
  /**
   * All arguments, possibly none. `derived` are those that other parts already show, or that have the tool's default
   * value.
   */
  | { readonly kind: 'arguments'; readonly values: readonly NamedText[]; readonly derived: readonly NamedText[] }
  /** The value that would take effect; `standing`: the current one, if any. */
  | { readonly kind: 'value'; readonly title: string; readonly text: string; readonly standing: string | null }
  /** An MCP server's definition of a tool, or its instructions; `before`: the accepted version, if any. */
  | {
      readonly kind: 'definition';
      readonly of: 'tool' | 'instructions';
      readonly name: string;
      readonly before: string | null;
      /** Everything that is accepted. */
      readonly now: string;
      /** The tool's description; the whole text of instructions. */
      readonly description: string;
      readonly parameters: readonly ParameterInWords[];
      /** A user has to look at each. */
      readonly findings: readonly Finding[];
      readonly choice?: ClassChoice;
    }
  /** What an undo leaves unchanged. */
  | { readonly kind: 'stays'; readonly refused: readonly UndoRefusal[] };

/** A part of a line, with the operator before it. */
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

/** The part's title on every surface. For a text, it is untrusted. */
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

/** The title of the current value. */
export const STANDING_TITLE = 'Current value';

/** For questions about one thing. */
export function consequencePart(consequence: Consequence): QuestionPart {
  return { kind: 'consequences', consequences: [consequence], steps: [] };
}

/** Strings verbatim, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value, 2);
}

/** Names who asked: `flash (ask_flash)`. */
export function askedByText({ provider, tool }: AskedBy): string {
  return `${provider} (${tool})`;
}
