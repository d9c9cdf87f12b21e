import { z } from 'zod';
import { REDACTED } from '../../secrets/redaction.ts';
import { isPlainVariable } from '../../secrets/secret-shapes.ts';
import { defineTool } from '../define-tool.ts';

/** Returns one variable of Steward's own environment. Source: tool catalogue B.2. */
export const getEnvironmentVariable = defineTool({
  name: 'get_environment_variable',
  access: 'read',
  description:
    'Read an environment variable and return NAME=value. One that may hold a secret is shown only if the user allows it.',
  input: z.object({
    name: z.string().describe('Name of the variable'),
    default: z.string().optional().describe('Value if it is not set'),
  }),
  nameAliases: ['get_env'],
  emptyAllowed: ['default'],
  words: { title: 'Read variable', done: 'Read variable', icon: 'terminal', about: ['name'] },
  manual: {
    example: { name: 'PATH' },
    limits: ['PATH, HOME, LANG and others that hold no secrets are read without a question.'],
  },
  async assess({ name, default: fallback = '' }, { env }) {
    const value = variable(env, name);
    const plan = { name, value, fallback };
    if (value === undefined) return { access: [], plan };
    return { access: [{ kind: 'variable', class: 'read', name, isPlain: isPlainVariable(name, value) }], plan };
  },
  declined: ({ name }) => `${name}=${REDACTED}`,
  execute: async ({ name, value, fallback }) => `${name}=${value ?? fallback}`,
});

/** Looks only at own properties: `constructor` is not a variable. */
function variable(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
