import { z } from 'zod';
import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';
import { defineTool } from '../define-tool.ts';

/** One variable of Steward's own environment. Source: tool catalogue B.2. */
export const getEnvironmentVariable = defineTool({
  name: 'get_environment_variable',
  access: 'read',
  description:
    'Read an environment variable and return NAME=value. A variable that looks like it holds a secret is shown only if the user says so.',
  input: z.object({
    name: z.string().describe('Name of the variable'),
    default: z.string().optional().describe('Value if it is not set'),
  }),
  nameAliases: ['get_env'],
  emptyAllowed: ['default'],
  words: { title: 'Read variable', done: 'Read variable', icon: 'terminal', about: ['name'] },
  manual: { example: { name: 'PATH' } },
  async assess({ name, default: fallback = '' }, { env }) {
    const value = variable(env, name);
    const isSecret = looksSecret(name) || isSecretValue(value ?? '');
    return { access: isSecret ? [{ class: 'read', kind: 'environment', name }] : [], plan: { name, value, fallback } };
  },
  declined: ({ name }) => `${name}=[redacted]`,
  async execute({ name, value, fallback }, { mark }) {
    if (value === undefined) return `${name}=${fallback}`;
    mark({ kind: 'private', source: `environment variable ${name}` });
    return `${name}=${value}`;
  },
});

/** Not what every object has: `constructor` is no variable. */
function variable(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
