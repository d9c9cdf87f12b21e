import { join } from 'node:path';
import type { Log, LogEvent } from '../base/log.ts';
import { RotatedFile } from '../base/rotated-file.ts';
import { ownText } from '../base/text.ts';
import { redactSecrets } from '../secrets/redaction.ts';
import { logsIn } from '../settings/profile.ts';

const MAX_BYTES = 1_000_000;
const OLDER = 2;
const MAX_FACT_LENGTH = 1_000;

export interface StewardLogOptions {
  /** The absolute path. */
  readonly profileDirectory: string;
  readonly now?: () => Date;
}

/**
 * The log of this profile, `logs/steward.log`: one line an event with time, level, room, code and facts. Secrets are
 * replaced before a line is written, and nothing that was said in a conversation or stands in a file is ever in it.
 */
export class StewardLog implements Log {
  readonly #file: RotatedFile;
  readonly #now: () => Date;
  #secrets: () => Iterable<string> = () => [];

  constructor({ profileDirectory, now = () => new Date() }: StewardLogOptions) {
    this.#now = now;
    this.#file = new RotatedFile({
      path: join(logsIn(profileDirectory), 'steward.log'),
      maxBytes: MAX_BYTES,
      older: OLDER,
      onError: (error) => process.stderr.write(`The log can't be written: ${String(error)}\n`),
    });
  }

  get path(): string {
    return this.#file.path;
  }

  /** Values that are replaced from now on, besides what looks like a key. */
  redactAlso(secrets: () => Iterable<string>): void {
    this.#secrets = secrets;
  }

  write({ level, room, code, facts = {} }: LogEvent): void {
    const told = Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${factText(value)}`,
    );
    const line = [this.#now().toISOString(), level, room, code, ...told].join(' ');
    this.#file.append(ownText(redactSecrets(line, this.#secrets())));
  }

  /** Writes what is left. Call it before the process ends, and before somebody reads the log. */
  flush(): void {
    this.#file.flush();
  }
}

function factText(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = value.slice(0, MAX_FACT_LENGTH);
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text);
}
