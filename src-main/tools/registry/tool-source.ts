import type { Mark } from '../../../src-preload/contract/events.ts';
import type { Tool } from '../contract.ts';
import type { GroupOpening } from './group-opening.ts';
import type { OfferedTool } from './registry.ts';
import type { BroughtTool, PromptText } from './toolset.ts';

/** A tool that a conversation has besides those of the registry. */
export interface SourcedTool {
  readonly tool: Tool;
  /** The marks of its description; none by default. */
  readonly descriptionMarks?: readonly Mark[];
  /** The tool is part of requests. Any other one still answers to its name. */
  readonly isOffered: boolean;
  /** See `OfferedTool`. */
  readonly place?: OfferedTool['place'];
  /** The tool is in a closed group, which calling it opens. */
  readonly opening?: GroupOpening;
}

/** Brings tools into a conversation. */
export interface ToolSource {
  /** Called before each request: what earlier calls changed takes effect. */
  settle(): void;
  /** All tools, always in the same order. The list stays the same as long as nothing changes. */
  tools(): readonly SourcedTool[];
  brought(): readonly BroughtTool[];
  prompts(): readonly PromptText[];
  turnEnded(): void;
}
