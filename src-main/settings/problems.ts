/** A problem in config.json to report to the user. Contains no secrets; `problemText` gives the full text. */
export interface SettingsProblem {
  /** With an `error`, something in the file has no effect. With a `notice`, no setting is lost. */
  readonly severity: 'error' | 'notice';
  readonly code: 'bad_value' | 'unknown_key' | 'bad_json' | 'unreadable' | 'set_aside' | 'not_watched';
  /** Full path of the key, `mcpServers.files.args[1]`; absent if the whole file is meant. */
  readonly key?: string;
  /** Names the key, or the file if it is meant as a whole. */
  readonly message: string;
  /** What is in effect instead, if the whole file is unusable. */
  readonly inEffect?: 'defaults' | 'settings_read_before';
  /** The line of the first error in the text, 1-based. Columns count UTF-16 units, as editors do. */
  readonly line?: number;
  readonly column?: number;
}

const IN_EFFECT = {
  defaults: 'Defaults are used',
  settings_read_before: 'The settings read before stay in effect',
} as const;

/** Whether the whole config.json could be read: then anything missing from it was removed. */
export function wasRead(problems: readonly SettingsProblem[]): boolean {
  return !problems.some(({ code }) => code === 'bad_json' || code === 'unreadable');
}

/** The problem for people who do not have config.json in front of them. */
export function problemText({ key, message, inEffect }: SettingsProblem): string {
  const said = inEffect === undefined ? message : `${message} ${IN_EFFECT[inEffect]}, and the file is kept as it is.`;
  return key === undefined ? said : `config.json: ${said}`;
}

/** A change that was refused, or could not be saved. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(message: string, options: { problems?: readonly SettingsProblem[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.problems = options.problems ?? [];
  }
}

export type KeyPath = readonly (string | number)[];

/**
 * Writes a path as `mcpServers.files.args[1]`. Names with unusual characters are quoted, so that they can't forge text
 * on a terminal.
 */
export function keyText(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w@/+-]{1,80}$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${quoted(part)}]`;
  }
  return text;
}

/** Whether a problem's key is this entry or inside it; both as written by `keyText`. */
export function isKeyIn(entry: string, key: string | undefined): boolean {
  return key === entry || (key !== undefined && (key.startsWith(`${entry}.`) || key.startsWith(`${entry}[`)));
}

export function quoted(text: string): string {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return shown.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** How a message refers to a value. If it may be a secret, only its type is shown. */
export function shownValue(path: KeyPath, value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  const mayHoldSecret =
    (path[0] === 'mcpServers' && !isChoiceOfServer(path, value)) ||
    /key|token|secret|password/i.test(String(path.at(-1)));
  if (mayHoldSecret || /[@?#]|sk-|AIza/.test(value)) return value === '' ? 'empty text' : 'a text';
  return quoted(value);
}

/** Whether this is a key of a server that takes one of a few words. Such a word can hardly be a secret. */
function isChoiceOfServer([, , key]: KeyPath, value: string): boolean {
  return CHOICES_OF_SERVERS.has(String(key)) && /^[A-Za-z][A-Za-z -]{0,30}$/.test(value);
}

const CHOICES_OF_SERVERS: ReadonlySet<string> = new Set(['transport', 'type', 'start', 'text', 'classes']);
