import { marksOfServer } from '../mark-sources.ts';
import type { TouchedKind } from './access-kind.ts';
import { asks } from './verdict.ts';

/** Text on the system's clipboard: what the user copied anywhere, or what they paste next. */
export interface ClipboardAccess {
  readonly kind: 'clipboard';
  readonly class: 'read' | 'write';
}

export const clipboardKind: TouchedKind<ClipboardAccess> = {
  effectiveClass: (access) => access.class,
  judge: (_input, access) => asks({ code: `clipboard_${access.class}` }, access.class),
  isCovered: () => false,
  rules: () => [],
  leastFlag: () => 'reads',
  remembered: () => ({}),
  marks: (access) => (access.class === 'read' ? marksOfServer({ source: 'the clipboard', whose: 'outside' }) : []),
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => false,
  title: (accesses) =>
    accesses.some((each) => each.class === 'write') ? 'Replace what is on the clipboard?' : 'Read the clipboard?',
  nameOf: () => undefined,
  describe: (access) =>
    access.class === 'read' ? 'read the text on the clipboard' : 'replace what is on the clipboard',
  shownClass: (access) => access.class,
};
