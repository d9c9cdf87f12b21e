/** Something that happened, for the log: facts, never a text that somebody wrote. */
export interface LogEvent {
  readonly level: 'info' | 'warning' | 'error';
  /** The room of the code that says so, such as `desktop`. */
  readonly room: string;
  /** The code is in lower case with underscores. */
  readonly code: string;
  readonly facts?: Readonly<Record<string, string | number | boolean | undefined>>;
}

export interface Log {
  /** Never throws. */
  write(event: LogEvent): void;
}

const MAX_FRAMES = 6;
const FRAME = /^ {4}at [^\n]{1,300}:\d+:\d+\)?$/;

/** What may be said of an error: its message may repeat what a user or a file said. */
export function errorFacts(error: unknown): NonNullable<LogEvent['facts']> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, stack = '' } = error;
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined;
  const frames = stack.split('\n').filter((line) => FRAME.test(line));
  const at = frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice('at '.length));
  return { error: name, code, at: at.length === 0 ? undefined : at.join(' < ') };
}
