import { grouped } from '../../base/text.ts';
import type { GrantedValue } from '../permission-grant.ts';
import type { QuestionPart } from './question-parts.ts';

/** Says what happens once the check for new versions is switched on. */
export const UPDATE_CHECK_PART: QuestionPart = {
  kind: 'note',
  title: 'What leaves your computer',
  text: 'Once a day, and when you press “Check now”, Steward asks the site of its releases (of the published app: github.com) which version is the newest. It sends no identifier, no cookie, not your version, and nothing about what you do. The site sees your IP address and which system the file is for.',
};

/** Says exactly what is downloaded and then installed, and which version it replaces. */
export function updateParts({ value, previous }: GrantedValue<'update'>): readonly QuestionPart[] {
  const { version, file, bytes, sha512, hosts } = value;
  const lines = [
    `Version ${version}`,
    `File: ${file}, ${grouped(bytes)} bytes`,
    `From: ${hosts.join(', ')}`,
    `SHA-512: ${sha512}`,
  ];
  return [
    { kind: 'text', title: 'New version', text: lines.join('\n') },
    ...(previous === undefined
      ? []
      : [{ kind: 'text', title: 'Replaces', text: `Version ${previous.version}` } as const]),
  ];
}
