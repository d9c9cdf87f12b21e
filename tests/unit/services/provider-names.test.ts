import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommand } from '../../../src-main/assistant/commands.ts';
import { resolveModel } from '../../../src-main/models/registry.ts';
import { isSecretName, providerSecretName } from '../../../src-main/secrets/secret-names.ts';
import { wireNameOf } from '../../../src-main/tools/registry/wire-names.ts';
import { newProviderNameProblem, providerNameProblem } from '../../../src-preload/contract/provider-name.ts';

const PROVIDER = { type: 'ollama', model: 'm' } as const;
const odd = fc.string({ unit: fc.constantFrom(...'aB1 :/\\."\'*_-ß日😀\u00a0\u200b\u202e\t\n'), maxLength: 12 });

test('a name that is accepted works in the keychain, in /provider use, before a model, and as a tool', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ maxLength: 70 })), (name) => {
      if (providerNameProblem(name) !== null) return;
      accepted++;
      expect(isSecretName(providerSecretName(name))).toBe(true);
      expect(parseCommand(`/provider use ${name}`)).toEqual({ kind: 'provider', verb: 'use', name });
      const providers = { [name]: PROVIDER, other: PROVIDER };
      expect(resolveModel(`${name}:some:8b`, { hasAnthropicKey: false, providers })).toMatchObject({
        provider: name,
        model: 'some:8b',
      });
      expect(wireNameOf(`ask_${name.toLowerCase()}`)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/);
    }),
    { numRuns: 2_000, seed: 13 },
  );
  expect(accepted).toBeGreaterThan(200);
});

test.each([
  ['', /a name/],
  ['x'.repeat(65), /64/],
  ['a\nb', /line breaks/],
  ['anthropic\ufe0f', /can’t be seen/],
  ['anthropic\u2800', /can’t be seen/],
  [' a', /spaces/],
  ["'a'", /quotation/],
  ['GUIDE', /Guide/],
  ['__proto__', /another/],
])('%j is refused', (name, why) => {
  expect(providerNameProblem(name)).toMatch(why);
});

test('a colon is refused only in a name that is given now', () => {
  expect(providerNameProblem('anthropic:latest')).toBeNull();
  expect(newProviderNameProblem('anthropic:latest')).toMatch(/colon/);
});
