import { errorFacts, type Log } from '../base/log.ts';
import { redactSecrets } from '../secrets/redaction.ts';

/** The log of faults. Undefined until it is known where it is. */
let faultLog: Log | undefined;

/** Logs an internal error with secrets removed; the window keeps running instead of showing a stack trace. */
export function reportFaults(): void {
  process.on('uncaughtException', (error) => reportFault('uncaught', error));
  process.on('unhandledRejection', (reason) => reportFault('unhandled', reason));
}

export function logFaultsTo(log: Log): void {
  faultLog = log;
}

export function reportFault(where: string, fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  process.stderr.write(`Something went wrong in Steward (${where}): ${redactSecrets(text)}\n`);
  faultLog?.write({ level: 'error', room: 'desktop', code: 'fault', facts: { where, ...errorFacts(fault) } });
}
