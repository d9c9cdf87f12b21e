import type { LeftRunning } from './left-running.ts';
import type { Refusal } from './refusals.ts';

/**
 * Structured data that a card shows for a result. Stored with the result, so that a card can be drawn again without
 * parsing text. A card contains nothing that the result does not: it is another form of it, truncated if long.
 */
export type ToolCard =
  | AgendaCard
  | CalendarEventCard
  | DiffCard
  | FileTextCard
  | MailCard
  | MailListCard
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
  /** The path as given to the tool. */
  readonly path: string;
  readonly isNew: boolean;
  /** The number of lines. */
  readonly added: number;
  readonly removed: number;
  /** Hunks of a unified diff (`@@ … @@`, then lines that begin with blank, `+` or `-`); empty if `note` says why. */
  readonly patch: string;
  readonly note?: string;
  /** The encoding, which the file keeps. Absent if it is UTF-8. */
  readonly encoding?: string;
}

/** A file was read that is not stored in UTF-8. */
export interface FileTextCard {
  readonly kind: 'file-text';
  /** The path as given to the tool. */
  readonly path: string;
  /** The encoding that the byte order mark names, or that was guessed from the bytes. */
  readonly encoding: string;
}

/** Lines in files. */
export interface MatchesCard {
  readonly kind: 'matches';
  /** `line` is 1-based. */
  readonly matches: readonly { readonly path: string; readonly line?: number; readonly text?: string }[];
  /** Total number of matches. */
  readonly total: number;
  /** Files that were left out because they usually hold secrets. */
  readonly notSearched?: readonly string[];
  /** Files that were not searched, because they are not text. */
  readonly notText?: readonly string[];
}

/** An HTTP response. */
export interface PageCard {
  readonly kind: 'page';
  /** The URL after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title?: string;
  /** The size in bytes, decoded. */
  readonly size: number;
  /** The encoding in which the text was stored, as stated or guessed; absent if it was UTF-8. */
  readonly encoding?: string;
}

/** Search engine results. */
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
    /** Like the others, empty if the page does not say. */
    readonly salary: string;
    readonly url: string;
  }[];
}

/** A table of usage and cost. */
export interface TableCard {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  /** The rows, with one cell per column. Null stands for what is not known. */
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
  /** If it begins with `over`, the command passed a limit of those that run without a question. */
  readonly ending:
    | 'exited'
    | 'timed-out'
    | 'over-memory'
    | 'over-processes'
    | 'over-temporary-files'
    | 'over-time'
    | 'stopped'
    | 'background';
  readonly exitCode?: number;
  /** The id of a shell in the background. */
  readonly shellId?: string;
  /** Programs that were running when this was written; they may have ended since. */
  readonly leftRunning?: LeftRunning;
  /**
   * The tool added this many characters at the end of the result's text (`
   * [exit code 1]`), and everything before was printed. They are counted from the end, because replacing secrets
   * changes the length. Absent if there are none.
   */
  readonly addedByTool?: number;
  /** The sandbox that the command ran in: it could write nothing, or only this folder. Absent if there was none. */
  readonly bounds?: 'read-only' | 'folder';
  /** What the sandbox probably refused it. Absent if that is nothing. */
  readonly refused?: readonly Refusal[];
  /** What it connected to, and what it could not. Absent if it wanted no connection. */
  readonly connections?: Connections;
  /** Files and folders of its own that got another name, because programs obey them by themselves. Absent if none did. */
  readonly putAside?: PutAside;
}

/** Hosts with their ports where those are unusual, in no form that could be more than a name. */
export interface Connections {
  /** The first fifty. */
  readonly reached: readonly string[];
  /** The first fifty. */
  readonly refused: readonly RefusedConnection[];
  /** How many hosts are in neither. Absent if none. */
  readonly more?: number;
}

/** `unreached` was allowed, and `error` is the code or the words of the system. */
export interface RefusedConnection {
  readonly host: string;
  readonly why: 'declined' | 'unanswered' | 'too_many' | 'unreached';
  readonly error?: string;
}

/** Paths as people are shown them, on one line. */
export interface PutAside {
  /** The first twenty, each with its new name in the same folder. */
  readonly entries: readonly { readonly path: string; readonly name: string }[];
  readonly count: number;
  /** Some could not be found or renamed: programs may obey them. */
  readonly isIncomplete?: true;
}

/** The conversation's complete to-do list from this point on. Empty if there is none. */
export interface TodosCard {
  readonly kind: 'todos';
  readonly todos: readonly {
    readonly content: string;
    readonly status: 'pending' | 'in_progress' | 'completed';
    /** The text shown while it is in progress. If it is empty, `content` is shown. */
    readonly activeForm: string;
  }[];
}

/** Messages found in a mailbox. */
export interface MailListCard {
  readonly kind: 'mail-list';
  readonly query: string;
  /** Headers are decoded, otherwise they are as received. `date` is the Date header. */
  readonly messages: readonly {
    readonly id: string;
    readonly from: string;
    readonly subject: string;
    readonly date: string;
    readonly snippet: string;
  }[];
}

/** A message. Its text is the part of the result's text after the first empty line. */
export interface MailCard {
  readonly kind: 'mail';
  readonly id: string;
  readonly from: string;
  /** The address for replies. Absent if there is none, or if it is the same as `from`. */
  readonly replyTo?: string;
  readonly to: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly subject: string;
  readonly date: string;
  /** What is in them is not read. Results of earlier versions have names alone. */
  readonly attachments: readonly (MailAttachment | string)[];
}

export interface MailAttachment {
  /** The name, or an empty text if the part has none. */
  readonly name: string;
  /** Media type, `application/pdf`. */
  readonly type: string;
  /** The size in bytes. Absent if it is not known. */
  readonly size?: number;
}

/** A calendar time: a date (`2026-03-01`) or a date-time with offset. */
export type CalendarTime = string;

export interface AgendaEvent {
  readonly id: string;
  /** The title, or an empty text if the event has none. */
  readonly summary: string;
  readonly start: CalendarTime;
  /** For an all-day event, the day after its last one. */
  readonly end: CalendarTime;
  readonly location: string;
  readonly status: string;
}

/** Events of a calendar, in order of their start. */
export interface AgendaCard {
  readonly kind: 'agenda';
  readonly events: readonly AgendaEvent[];
}

/** An event. `link` is its page on calendar.google.com, `meeting` the link of its video call. */
export interface CalendarEventCard {
  readonly kind: 'calendar-event';
  readonly isNew: boolean;
  readonly event: AgendaEvent;
  readonly description: string;
  readonly organizer: string;
  readonly guests: readonly { readonly email: string; readonly response: string }[];
  readonly recurrence: readonly string[];
  readonly link?: string;
  readonly meeting?: string;
}
