import type { Problem } from '../../../src-preload/contract/settings.ts';
import { errorFacts, type Log } from '../../base/log.ts';
import { redactSecrets } from '../../secrets/redaction.ts';

export interface SessionLogPort extends Log {
  /** Values that are replaced from now on, besides what looks like a key. */
  redactAlso(secrets: () => Iterable<string>): void;
}

/** What a window writes into the log. Faults are said on stderr too, there with their messages. */
export class WindowLog {
  readonly #log: SessionLogPort;
  #secrets: () => Iterable<string> = () => [];

  constructor(log: SessionLogPort) {
    this.#log = log;
  }

  redactAlso(secrets: () => Iterable<string>): void {
    this.#secrets = secrets;
    this.#log.redactAlso(secrets);
  }

  /** A banner was shown. */
  notice(notice: string): void {
    this.#log.write({ level: 'warning', room: 'ipc', code: 'notice', facts: { notice } });
  }

  /** A turn ended with an error that could not be committed. Resolves with what a banner says of it. */
  async turnFailed(error: unknown): Promise<Problem> {
    const { reportOf } = await import('../error-report.ts');
    const report = reportOf(error);
    if (report !== undefined) return report;
    this.fault('a turn', error);
    return { code: 'internal', message: 'Something went wrong in Steward and the answer stopped. Try again.' };
  }

  fault(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${where}: ${redactSecrets(text, this.#secrets())}\n`);
    this.#log.write({ level: 'error', room: 'ipc', code: 'fault', facts: { where, ...errorFacts(error) } });
  }
}
