import { grouped } from '../../base/text.ts';
import type { FolderSkill } from '../permission-grant.ts';
import type { QuestionPart } from './question-parts.ts';

export function skillsText(skills: readonly FolderSkill[]): string {
  return skills.map(({ name, description }) => `${name}: ${description}`).join('\n');
}

/** Shows each file in full, because the model follows what it says. */
export function skillFileParts(skills: readonly FolderSkill[]): QuestionPart[] {
  return skills.flatMap(({ name, files }) =>
    files.map(({ path, bytes, text }): QuestionPart => {
      const title = `${name}: ${path} (${grouped(bytes)} bytes)`;
      return { kind: 'text', title, text };
    }),
  );
}
