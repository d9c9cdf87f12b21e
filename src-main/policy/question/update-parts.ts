import { isRecord } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';
import type { QuestionPart } from './question-parts.ts';

/** Before the check for new versions is switched on. */
export const UPDATE_CHECK_PART: QuestionPart = {
  kind: 'note',
  title: 'What leaves your computer',
  text: 'Once a day, and when you press “Check now”, Steward asks the site of its releases (of the published app: github.com) which version is the newest. It sends no identifier, no cookie, not your version, and nothing about what you do. The site sees your IP address and which system the file is for.',
};

/** Before a new version is downloaded: exactly what is then installed. `previous`: the running version. */
export function updateParts(value: unknown, previous: unknown): QuestionPart[] {
  const { version, file, bytes, sha512, hosts } = isRecord(value) ? value : {};
  const running = isRecord(previous) ? previous.version : undefined;
  const lines = [
    `Version ${String(version)}`,
    `File: ${String(file)}, ${grouped(Number(bytes))} bytes`,
    `From: ${Array.isArray(hosts) ? hosts.join(', ') : ''}`,
    `SHA-512: ${String(sha512)}`,
  ];
  return [
    { kind: 'text', title: 'New version', text: lines.join('\n') },
    { kind: 'text', title: 'Replaces', text: `Version ${String(running)}` },
  ];
}
