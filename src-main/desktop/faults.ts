import { redactSecrets } from '../secrets/redaction.ts';

/** Logs an internal error with secrets removed; the window keeps running instead of showing a stack trace. */
export function reportFaults(): void {
  process.on('uncaughtException', (error) => reportFault('uncaught', error));
  process.on('unhandledRejection', (reason) => reportFault('unhandled', reason));
}

export function reportFault(where: string, fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  process.stderr.write(`Something went wrong in Steward (${where}): ${redactSecrets(text)}\n`);
}
