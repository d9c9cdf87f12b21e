import { privateMark, secretMarks } from '../mark-sources.ts';
import type { TouchedKind } from './access-kind.ts';
import { named } from './title-words.ts';
import { asks } from './verdict.ts';

/** A variable of Steward's own environment. */
export interface VariableAccess {
  readonly kind: 'variable';
  readonly class: 'read';
  readonly name: string;
  /**
   * The variable is on the list of those without secrets and its value does not look like one, so it needs no question.
   */
  readonly isPlain: boolean;
}

export const variableKind: TouchedKind<VariableAccess> = {
  effectiveClass: (access) => access.class,
  judge: (_input, { isPlain }) =>
    isPlain ? { kind: 'allow', reason: { code: 'plain_variable' } } : asks({ code: 'secret_variable' }, 'read'),
  isCovered: () => false,
  rules: () => [],
  leastFlag: ({ isPlain }) => (isPlain ? 'reads' : 'all'),
  remembered: () => ({}),
  marks: ({ name, isPlain }) => (isPlain ? privateMark : secretMarks)(`environment variable ${name}`),
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => false,
  title: (variables) => {
    const names = variables.map(({ name }) => name);
    return named('Read the variable', names, 'environment variable', 'environment variables', 'Read');
  },
  nameOf: ({ name }) => name,
  describe: ({ name, isPlain }) =>
    `read the environment variable ${name}${isPlain ? '' : ', which may contain a secret'}`,
  shownClass: (access) => access.class,
};
