import { randomBytes } from 'node:crypto';

/**
 * The name of a variable that everything a call starts inherits, whatever group, session or parent it has later:
 * daemons are found by it (as Jenkins does it, https://wiki.jenkins.io/display/JENKINS/ProcessTreeKiller). Its value is
 * a list, separated by colons: where Steward runs in a command of another Steward, both find what the inner one starts.
 */
export const MARKER_VARIABLE = 'STEWARD_CALL';
const INHERITED = /^[0-9a-f:-]{1,1000}$/;

const RECORD = Buffer.from(`${MARKER_VARIABLE}=`);
const WORD = new RegExp(`(?:^| )${MARKER_VARIABLE}=(\\S*)`, 'g');

/** Makes unguessable markers. */
export class CallMarkers {
  /** A prefix of every marker that `next` returns. */
  readonly all = randomHex();

  next(): string {
    return `${this.all}-${randomHex()}`;
  }
}

function randomHex(): string {
  return randomBytes(12).toString('hex');
}

export function markedEnvironment(environment: NodeJS.ProcessEnv, marker: string): NodeJS.ProcessEnv {
  const outer = environment[MARKER_VARIABLE] ?? '';
  return { ...environment, [MARKER_VARIABLE]: INHERITED.test(outer) ? `${outer}:${marker}` : marker };
}

/**
 * Whether an environment contains one of the markers. It consists of records that end with NUL, as the kernel stores
 * them.
 */
export function carriesMarker(environment: Buffer, markers: readonly string[]): boolean {
  for (let at = environment.indexOf(RECORD); at !== -1; at = environment.indexOf(RECORD, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    const value = environment.toString('latin1', at + RECORD.length, end === -1 ? environment.length : end);
    if (isOneOf(value, markers)) return true;
  }
  return false;
}

/** Whether one of the markers is in a command line followed by the environment, as `ps -E` prints it. */
export function showsMarker(commandAndEnvironment: string, markers: readonly string[]): boolean {
  return [...commandAndEnvironment.matchAll(WORD)].some(([, value = '']) => isOneOf(value, markers));
}

function isOneOf(value: string, markers: readonly string[]): boolean {
  return value.split(':').some((carried) => markers.some((it) => carried === it || carried.startsWith(`${it}-`)));
}
