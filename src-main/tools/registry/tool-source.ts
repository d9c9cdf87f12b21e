import type { Mark } from '../../../src-preload/contract/events.ts';
import type { Tool } from '../contract.ts';
import type { GroupOpening } from './group-opening.ts';
import type { OfferedTool } from './registry.ts';
import type { BroughtTool, PromptText } from './toolset.ts';

/** A tool that a conversation has besides those of the registry. */
export interface SourcedTool {
  readonly tool: Tool;
  /** Marks of its description. Default: none. */
  readonly descriptionMarks?: readonly Mark[];
  /** Part of requests. Any other one still answers to its name. */
  readonly isOffered: boolean;
  /** See `OfferedTool`. */
  readonly place?: OfferedTool['place'];
  /** It is in a closed group, which a call of the tool opens. */
  readonly opening?: GroupOpening;
}

/** Where they come from. */
export interface ToolSource {
  /** Called before each request: what earlier calls changed takes effect. */
  settle(): void;
  /** All of them, always in the same order. The same list as long as nothing changes. */
  tools(): readonly SourcedTool[];
  brought(): readonly BroughtTool[];
  prompts(): readonly PromptText[];
  turnEnded(): void;
}
