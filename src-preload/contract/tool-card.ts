import type { LeftRunning } from './left-running.ts';

/**
 * What a card shows of a result besides its text. Kept with the result, so that a card can be drawn again without taking
 * text apart. A card never holds what the result does not: it is another form of it, cut where it gets long.
 */
export type ToolCard =
  | DiffCard
  | MatchesCard
  | PageCard
  | ResultsCard
  | JobsCard
  | TableCard
  | TerminalCard
  | TodosCard;

/** A file was changed. */
export interface DiffCard {
  readonly kind: 'diff';
  /** As the tool was given it. */
  readonly path: string;
  readonly isNew: boolean;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Hunks of a unified diff (`@@ … @@`, then lines that begin with blank, `+` or `-`); empty where `note` says why. */
  readonly patch: string;
  readonly note?: string;
}

/** Lines in files. */
export interface MatchesCard {
  readonly kind: 'matches';
  /** `line`: 1-based. */
  readonly matches: readonly { readonly path: string; readonly line?: number; readonly text?: string }[];
  /** How many there were altogether. */
  readonly total: number;
}

/** An answer over HTTP. */
export interface PageCard {
  readonly kind: 'page';
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title?: string;
  /** Bytes, decoded. */
  readonly size: number;
}

/** What a search engine found. */
export interface ResultsCard {
  readonly kind: 'results';
  readonly query: string;
  readonly results: readonly { readonly title: string; readonly url: string; readonly description: string }[];
}

export interface JobsCard {
  readonly kind: 'jobs';
  readonly jobs: readonly {
    readonly title: string;
    readonly company: string;
    readonly location: string;
    readonly posted: string;
    /** Like the others, empty where the page does not say. */
    readonly salary: string;
    readonly url: string;
  }[];
}

/** Usage and cost. */
export interface TableCard {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  /** As many cells as there are columns; `null`: not known. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** One value per day, hour or minute, in order. */
  readonly chart?: {
    readonly label: string;
    readonly unit: 'usd' | 'tokens' | 'count';
    readonly points: readonly { readonly label: string; readonly value: number }[];
  };
}

/** A command ran. What it printed begins the result's text. */
export interface TerminalCard {
  readonly kind: 'terminal';
  readonly line: string;
  readonly ending: 'exited' | 'timed-out' | 'stopped' | 'background';
  readonly exitCode?: number;
  /** Of a shell in the background. */
  readonly shellId?: string;
  /** What went on when this was written: it may have ended since. */
  readonly leftRunning?: LeftRunning;
  /**
   * So many characters at the end of the result's text are the tool's words (`\n[exit code 1]`); what stands before them was
   * printed. Counted from the end, because secrets that are replaced make a text shorter or longer. Absent: none.
   */
  readonly addedByTool?: number;
}

/** The whole to-do list of the conversation from then on; empty: there is none. */
export interface TodosCard {
  readonly kind: 'todos';
  readonly todos: readonly {
    readonly content: string;
    readonly status: 'pending' | 'in_progress' | 'completed';
    /** What is said while it is being done; empty: `content`. */
    readonly activeForm: string;
  }[];
}
