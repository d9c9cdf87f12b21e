import { type FreedomLasts, freedomText } from '../../../src-preload/contract/bounds.ts';
import type { GrantedValue } from '../permission-grant.ts';
import type { QuestionPart } from './question-parts.ts';

const LASTS: Readonly<Record<FreedomLasts, string>> = {
  week: 'For a week',
  always: 'Always, until you take it back in Settings',
};

/** Says where the assistant may work freely and for how long, and what that allows. */
export function freedomParts({ value }: GrantedValue<'work-freely'>): readonly QuestionPart[] {
  const { folder, lasts, holdsCommands, meetsRules } = value;
  const [allows, asks] = freedomText(holdsCommands);
  return [
    { kind: 'value', title: 'Folder', text: folder, standing: null },
    { kind: 'note', title: 'For how long', text: LASTS[lasts] },
    { kind: 'note', title: 'What it allows', text: allows },
    { kind: 'note', title: 'What it doesn’t', text: asks },
    ...(meetsRules ? [{ kind: 'caution', code: 'rules_meet' } as const] : []),
  ];
}
