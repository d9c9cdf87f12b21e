import type { FixtureEvent } from '../../fixtures/google/calendar-api.ts';
import type { GivenMail } from '../../fixtures/google/gmail-api.ts';
import type { Packages } from '../../fixtures/npm-registry.ts';

export const AREAS = ['developer', 'research', 'files', 'jobs', 'planning', 'mail'] as const;
export type Area = (typeof AREAS)[number];

/**
 * An everyday session with Claude, as data: where it works, what there is on the web, what the user types, and what the
 * model calls in each round. `{workspace}` (a real path) and `{port}` (a free one) stand in files, messages and
 * arguments for what is known only when it is played. How calls are decided is no concern of a session.
 */
export interface Session {
  readonly title: string;
  readonly area: Area;
  /** Name of the workspace's folder; default `project`. */
  readonly folder?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The files are the first commit. */
  readonly repository?: {
    /** Subjects of commits after it. */
    readonly history?: readonly string[];
    /** Files as they are now, not committed. */
    readonly changes?: Readonly<Record<string, string>>;
  };
  /** URL → HTML, or JSON by its first character. */
  readonly web?: Readonly<Record<string, string>>;
  readonly redirects?: Readonly<Record<string, string>>;
  /** Query → URLs that a search for it finds. */
  readonly searches?: Readonly<Record<string, readonly string[]>>;
  /** What LinkedIn finds, whatever it is asked for. */
  readonly jobs?: readonly Job[];
  /** Gmail and Google Calendar of the user, who is connected to both. */
  readonly google?: { readonly mails: readonly GivenMail[]; readonly events: readonly FixtureEvent[] };
  /** What npm can install. */
  readonly packages?: Packages;
  /** What earlier conversations left: facts by their key, memories by their question. */
  readonly remembered?: {
    readonly facts?: Readonly<Record<string, string>>;
    readonly memories?: Readonly<Record<string, string>>;
  };
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly person: string;
  /** Calls of one round run beside each other. */
  readonly rounds: readonly (Call | readonly Call[])[];
  /** The model's last words. */
  readonly answer: string;
}

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** A command line that only reads. */
  readonly onlyReads?: true;
  /** It does not find, fails, or exits with another code than 0. */
  readonly isToFail?: true;
  /** What the result holds. */
  readonly says?: string;
}

export interface Job {
  readonly number: number;
  readonly title: string;
  readonly company: string;
  readonly location: string;
  readonly salary?: string;
  readonly description: string;
}

export const callsOf = ({ turns }: Session): readonly Call[] => turns.flatMap(({ rounds }) => rounds.flat());

export const jobUrl = (number: number) => `https://www.linkedin.com/jobs/view/${number}`;

export function call(tool: string, input: Readonly<Record<string, unknown>> = {}): Call {
  return { tool, input };
}

export const fails = (failing: Call): Call => ({ ...failing, isToFail: true });
export const saying = (words: string, said: Call): Call => ({ ...said, says: words });

export const read = (file_path: string, lines: { offset?: number; limit?: number } = {}) =>
  call('read_file', { file_path, ...lines });
export const edit = (file_path: string, old_string: string, new_string: string, rest: { replace_all?: boolean } = {}) =>
  call('edit', { file_path, old_string, new_string, ...rest });
export const write = (file_path: string, content: string) => call('write_file', { file_path, content });
export const grep = (pattern: string, rest: Readonly<Record<string, unknown>> = {}) =>
  call('grep', { pattern, output_mode: 'content', line_numbers: true, ...rest });
export const glob = (pattern: string) => call('glob', { pattern });

/** A command line that may change something. */
export const bash = (
  command: string,
  description: string,
  rest: { timeout?: number; run_in_background?: boolean } = {},
) => call('bash', { command, description, ...rest });
/** A command line that only reads. */
export const look = (command: string, description: string): Call => ({
  ...bash(command, description),
  onlyReads: true,
});

export const search = (query: string, count?: number) =>
  call('web_search', { query, ...(count === undefined ? {} : { count }) });
export const open = (url: string) => call('web_fetch', { url });

export function todos(...items: readonly (readonly ['pending' | 'in_progress' | 'completed', string])[]): Call {
  return call('todo_write', {
    todos: items.map(([status, content]) => ({ status, content, activeForm: `Working on: ${content}` })),
  });
}

/** A page with a heading and paragraphs; HTML in them stays. */
export function page(title: string, ...paragraphs: readonly string[]): string {
  const body = paragraphs
    .map((paragraph) => (paragraph.startsWith('<') ? paragraph : `<p>${paragraph}</p>`))
    .join('\n');
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>\n${body}\n</body></html>`;
}

export const link = (url: string, words: string) => `<p><a href="${url}">${words}</a></p>`;

/** A text without the indentation that it has in the source, ending in a newline. */
export function text(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const lines = String.raw({ raw: strings }, ...values)
    .replace(/^\n/, '')
    .trimEnd()
    .split('\n');
  const indented = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indentation = Math.min(...indented);
  return `${lines.map((line) => line.slice(indentation)).join('\n')}\n`;
}
