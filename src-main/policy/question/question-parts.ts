import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { ShownMark } from '../../../src-preload/contract/events.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import type { Access, ExecuteAccess, Preview } from '../access.ts';
import type { DiffPreview } from '../diff-preview.ts';
import type { ClassChoice } from '../mcp/tool-class.ts';

/** Something to be read before answering. To add a kind: a member, its title below, and a branch in each surface. */
export type QuestionPart =
  /** What a yes would bring about, the gravest first. `steps`: of a longer line, those that bring about something grave. */
  | { readonly kind: 'consequences'; readonly consequences: readonly Consequence[]; readonly steps: readonly string[] }
  /** What was read in this conversation, each once. */
  | { readonly kind: 'read'; readonly marks: readonly ShownMark[] }
  | { readonly kind: 'touches'; readonly accesses: readonly TouchedAccess[] }
  /** `line`: as it would be typed; `steps` are all of it. */
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly steps: readonly CommandStep[];
      readonly directory: string;
    }
  /** Names of variables that the command is not given, unless the person passes them. */
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  | Preview
  /** A file that a tool changed after text from outside was read, as it was before and as it is now. */
  | { readonly kind: 'unreviewed'; readonly change: DiffPreview }
  /** Something to know before a rule is kept. */
  | { readonly kind: 'caution'; readonly code: CautionCode }
  /** Why the model wants this, in its words. */
  | { readonly kind: 'said'; readonly text: string }
  /** All of them, never shortened; perhaps none. `derived`: those that the other parts say already, or that are the tool's default. */
  | { readonly kind: 'arguments'; readonly values: readonly NamedText[]; readonly derived: readonly NamedText[] }
  /** The value that would take effect; `standing`: the one that does now, if any. */
  | ({ readonly kind: 'value'; readonly standing: string | null } & NamedText)
  /** What an MCP server says of a tool, or its instructions; `before`: what it said when that was accepted, if it was. */
  | {
      readonly kind: 'definition';
      readonly of: 'tool' | 'instructions';
      readonly name: string;
      readonly before: string | null;
      readonly now: string;
      readonly choice?: ClassChoice;
    }
  /** What an undo leaves as it is. */
  | { readonly kind: 'stays'; readonly refused: readonly UndoRefusal[] };

/** A part of a line, with the operator before it. */
export interface CommandStep {
  readonly text: string;
  readonly isGrave: boolean;
}

/** A command is a part of its own. */
export type TouchedAccess = Exclude<Access, ExecuteAccess>;

/** `rules_meet`: a rule for edits and one for commands would both hold. */
type CautionCode = 'rules_meet';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

const TITLES: Readonly<Record<Exclude<QuestionPart['kind'], 'text' | 'definition'>, string>> = {
  consequences: 'What this does',
  read: 'Read in this conversation',
  touches: 'Affects',
  command: 'Command',
  withheld: 'Not passed to the command, because they look like secrets',
  diff: 'Change to the file',
  unreviewed: 'Changed earlier, after text from outside was read',
  caution: 'Before you add a rule',
  said: 'The assistant says',
  arguments: 'Full details',
  value: 'New value',
  stays: 'Not undone',
};

/** What stands over it, on every surface. That of a text is untrusted content. */
export function partTitle(part: QuestionPart): string {
  if (part.kind === 'text') return part.title;
  if (part.kind === 'definition') return definitionTitle(part);
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

/** Over the value that is in effect now. */
export const STANDING_TITLE = 'Current value';

/** A text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined');
}
