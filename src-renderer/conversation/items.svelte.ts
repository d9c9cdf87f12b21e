import type { CalledBy, CallOutcome, EventOf } from '../../src-preload/contract/events.ts';
import type { ChangedPath, FileChanges } from '../../src-preload/contract/file-changes.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import type { CallWords } from '../../src-preload/contract/tool-words.ts';
import type { UndoRefusal } from '../../src-preload/contract/undo-refusal.ts';
import { pathFrom } from './path-from.ts';

export type ToolInput = EventOf<'tool_call'>['input'];

const NO_WORDS: CallWords = { title: '', done: '', about: '', icon: 'wrench' };

/** A text that is still streaming. */
class GrowingText {
  readonly key: string;
  text = $state('');
  isLive = $state(true);

  constructor(key: string) {
    this.key = key;
  }

  append(text: string): void {
    this.text += text;
  }

  complete(text: string): void {
    this.text = text;
    this.isLive = false;
  }
}

/** Text of the assistant, as Markdown. */
export class TextItem extends GrowingText {
  readonly kind = 'text';
  /** The number of the last event that it came in. */
  seq = 0;
}

/** The model's reasoning, as far as the model shows it. */
export class ThinkingItem extends GrowingText {
  readonly kind = 'thinking';
}

export type ToolState =
  | 'preparing'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  | 'refused'
  | 'denied'
  | 'unanswered'
  | 'interrupted'
  | 'undone';

const STATES: Readonly<Record<CallOutcome, ToolState>> = {
  completed: 'done',
  failed: 'failed',
  declined: 'denied',
  unanswered: 'unanswered',
  stopped: 'interrupted',
  interrupted: 'interrupted',
};
const NONE: ReadonlySet<string> = new Set();
/** The end of a command's output is enough to follow it; all of it comes with the result. */
const MAX_OUTPUT = 64_000;

export class ToolItem {
  readonly kind = 'tool';
  readonly key: string;
  readonly id: string;
  name = $state('');
  input: ToolInput = $state.raw({});
  /** What its card says. Main sends it with every call. */
  words: CallWords = $state.raw(NO_WORDS);
  decision: EventOf<'decision'> | null = $state.raw(null);
  result: EventOf<'tool_result'> | null = $state.raw(null);
  /** The output so far. */
  output = $state('');
  /** What became of the mail that the call sends, or null if it sends none. */
  mail: EventOf<'mail'> | null = $state.raw(null);
  /** When it was allowed to run, in ms since 1970. */
  startedAt: number | null = $state(null);
  /** What changed on the disk while it ran, or null if that is not known. */
  changes: FileChanges | null = $state.raw(null);
  /** The user had all its file changes undone. */
  isUndone = $state(false);
  /** The real paths that were restored, if only a part was undone. */
  undonePaths: ReadonlySet<string> = $state.raw(NONE);
  /** Why the last undo or redo left a file as it is. */
  notPutBack: readonly UndoRefusal[] = $state.raw([]);
  /** Whether the reader opened or closed the card, or null if they did neither. */
  opened: boolean | null = $state(null);
  /** The provider whose model the call asks, or null if it asks none. */
  asks: string | null = $state(null);
  /** Calls of the model that it asks, in order. */
  inside: ToolItem[] = $state([]);
  /** The reader has used its card, so it must not be folded into a run. */
  isTouched = $state(false);
  #calledBy: CalledBy | null = $state(null);
  readonly #turn: { readonly isEnded: boolean };

  constructor(key: string, id: string, turn: { readonly isEnded: boolean }) {
    this.key = key;
    this.id = id;
    this.#turn = turn;
  }

  /** The user called it by name; no model did. */
  get isOwnCall(): boolean {
    return this.#calledBy === 'person';
  }

  get card(): ToolCard | null {
    return this.result?.card ?? null;
  }

  /** The files it changed can be restored. */
  get canBeUndone(): boolean {
    return !this.isUndone && ((this.result?.changed?.length ?? 0) > 0 || this.#kept.length > 0);
  }

  /** Some of its changes were undone and can be made again. */
  get canBeRedone(): boolean {
    return this.isUndone || this.undonePaths.size > 0;
  }

  /** The paths that it changed and that can be restored, as people are shown them. */
  changedPaths(workspace: string): readonly string[] {
    const kept = this.#kept.filter(({ path }) => !this.undonePaths.has(path));
    return [...(this.result?.changed ?? []), ...kept.map(({ path }) => pathFrom(workspace, path))];
  }

  /** What changed while it ran and was kept before. */
  get #kept(): readonly ChangedPath[] {
    return this.changes?.files.filter(({ isLost }) => isLost !== true) ?? [];
  }

  get state(): ToolState {
    if (this.isUndone) return 'undone';
    // A call that never ran shows who stopped it, whatever its result is.
    if (this.result !== null && this.decision?.answer === 'deny')
      return this.decision.by === 'default' ? 'refused' : 'denied';
    if (this.result !== null) return STATES[this.result.outcome];
    if (this.#turn.isEnded) return 'interrupted';
    if (this.#calledBy === null) return 'preparing';
    if (this.decision === null) return 'asking';
    return this.decision.answer === 'allow' ? 'running' : 'denied';
  }

  /** The model wrote the call; it has not been made yet. */
  announced({ name, input, words }: Pick<EventOf<'tool_call'>, 'name' | 'input' | 'words'>): void {
    this.name = name;
    this.input = input;
    this.words = words ?? { ...NO_WORDS, title: name, done: name };
  }

  called(call: EventOf<'tool_call'>): void {
    this.announced(call);
    this.#calledBy = call.calledBy;
    this.asks = call.asks ?? null;
  }

  decided(decision: EventOf<'decision'>, at: string): void {
    this.decision = decision;
    if (decision.answer === 'allow') this.startedAt = Date.parse(at);
  }

  printed(chunk: string): void {
    this.output = (this.output + chunk).slice(-MAX_OUTPUT);
  }

  /** `isPartly`: something is left to be undone. */
  undone(paths: readonly string[], isPartly: boolean): void {
    this.isUndone = !isPartly;
    this.undonePaths = isPartly ? new Set([...this.undonePaths, ...paths, ...this.#namesNow(new Set(paths))]) : NONE;
    this.notPutBack = [];
  }

  /** What its card calls the files that have their old names again. */
  #namesNow(restored: ReadonlySet<string>): readonly string[] {
    const files = this.changes?.files ?? [];
    return files.flatMap(({ path, from }) => (from !== undefined && restored.has(from) ? path : []));
  }

  redone(): void {
    this.isUndone = false;
    this.undonePaths = NONE;
    this.notPutBack = [];
  }

  returned(result: EventOf<'tool_result'>): void {
    this.result = result;
    this.#calledBy = result.calledBy;
    this.output = '';
  }
}

export interface NoticeItem {
  readonly kind: 'notice' | 'error';
  readonly key: string;
  readonly code: string;
  readonly message: string;
  /** What would fix it. */
  readonly remedies: readonly Remedy[];
  /** The time at which what it says begins, in milliseconds since 1970. */
  readonly until?: number;
}

/** A summary that replaces older rounds for the model. */
export interface SummaryItem {
  readonly kind: 'summary';
  readonly key: string;
  readonly text: string;
  /** The number of messages that it stands for, or null if it is not known. */
  readonly replaced: number | null;
}

export type Item = TextItem | ThinkingItem | ToolItem | NoticeItem | SummaryItem;
