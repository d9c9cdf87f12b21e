import { REDACTED } from '../secrets/redaction.ts';
import type { Access, CallEffects, Preview } from './access.ts';
import { kindOf } from './accesses/access-kinds.ts';

/** The result of a call that would write the placeholder for a secret. */
export const PLACEHOLDER_REFUSED = `Error: The text holds ${REDACTED}, which Steward put in the place of a secret that you were not shown. Written back, it would destroy the secret. Nothing was done. Leave that part as it is: edit only the text around it, or have the user do it.`;

/**
 * Whether a call would write the placeholder where the secret may have been: into a file that does not already contain
 * it, a command, or a request. Otherwise a model that saw `KEY=[redacted]` in a file would replace the user's key by
 * that text. A file that contains the placeholder itself keeps it.
 */
export function writesPlaceholder(
  input: Readonly<Record<string, unknown>>,
  { access, previews = [] }: CallEffects,
): boolean {
  // The refusal is an answer that nobody gave, and it must not tell what a file with secrets contains. There the
  // arguments alone decide.
  if (access.some(isSecretChange)) return holdsPlaceholder(input);
  if (previews.some(addsPlaceholder)) return true;
  return access.some((each) => kindOf(each).passesOnInput(each)) && holdsPlaceholder(input);
}

function isSecretChange(access: Access): boolean {
  return access.kind === 'file' && access.class === 'write' && access.isSecret === true;
}

function addsPlaceholder(preview: Preview): boolean {
  return preview.kind === 'diff' && countIn(preview.after) > countIn(preview.before ?? '');
}

function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPlaceholder);
}

function countIn(text: string): number {
  return text.split(REDACTED).length - 1;
}
