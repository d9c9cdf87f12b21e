import type { TouchedKind } from './access-kind.ts';
import { asks, has } from './verdict.ts';

/** A read or write of the app's own data (memory, to-do list), or a pure computation, which needs no question. */
export type AppAccess =
  | {
      readonly kind: 'app';
      readonly class: 'read';
      /** The real path of the folder of a background command whose output is read. It may be the text of files. */
      readonly outputFrom?: string;
    }
  /** A write to memory asks while the context is marked untrusted. */
  | { readonly kind: 'app'; readonly class: 'write'; readonly memory: boolean };

export const appKind: TouchedKind<AppAccess> = {
  effectiveClass: (access) => access.class,
  judge: (input, access) => {
    if (access.class === 'write' && access.memory && has(input, 'untrusted'))
      return asks({ code: 'memory_marked' }, 'write');
    return { kind: 'allow', reason: { code: 'inside_app' } };
  },
  isCovered: () => false,
  rules: () => [],
  leastFlag: () => 'reads',
  remembered: () => ({}),
  // The tool itself says whose text it returns.
  marks: () => [],
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => false,
  title: (accesses) =>
    accesses.every((each) => each.class === 'write') ? 'Change what Steward remembers?' : undefined,
  nameOf: () => undefined,
  describe: (access) => (access.class === 'read' ? "read Steward's own data" : "change Steward's own data"),
  shownClass: (access) => access.class,
};
