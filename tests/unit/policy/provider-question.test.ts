import { expect, test } from 'vitest';
import type { GivenSecret, ProviderWithKey } from '../../../src-main/policy/permission-grant.ts';
import { grantQuestion } from '../../../src-main/policy/question/grant-question.ts';
import { providerText } from '../../../src-main/policy/question/provider-text.ts';

test.each<[ProviderWithKey, RegExp]>([
  [{ type: 'openai', baseUrl: 'https://api.groq.com/openai/v1' }, /never sent there/],
  [{ type: 'openai', baseUrl: 'https://api.openai.com/v1' }, /or else your OpenAI key/],
  [{ type: 'openai', baseUrl: 'https://api.openai.com.evil.example/v1' }, /never sent there/],
  [
    { type: 'anthropic', baseUrl: 'http://127.0.0.1:4000' },
    /or else your Anthropic key\nThis is a program on this computer/,
  ],
  [{ type: 'gemini', baseUrl: 'http://gateway.example' }, /never sent there\nNot encrypted/],
  [{ type: 'ollama', baseUrl: 'http://192.168.1.7:11434' }, /Key: only one that is stored/],
  [{ type: 'openai', baseUrl: 'https://x.example/v1', key: 'entered' }, /Key: the one that was entered/],
  [{ type: 'openai', baseUrl: 'https://x.example/v1', key: 'none_sent' }, /Key: none is sent/],
  // `endpoints` replaces the vendor's address: that is where its key goes then.
  [{ type: 'openai', baseUrl: 'https://gateway.example/v1', key: 'at_vendor' }, /or else your OpenAI key/],
  [{ type: 'openai', baseUrl: 'http://api.openai.com/v1' }, /never sent there/],
])('%j says which key goes there', (value, expected) => {
  const text = providerText(value);
  expect(text).toContain(`Address: ${value.baseUrl}\n`);
  expect(text).toMatch(expected);
});

test('an entered key is the one that is sent, and the question says where it will be', () => {
  const partsWith = (...secrets: GivenSecret[]) =>
    grantQuestion({
      kind: 'grant',
      id: 'q',
      subject: 'provider',
      key: 'providers.work',
      secrets,
      value: { type: 'openai', baseUrl: 'https://api.openai.com/v1' },
      reason: { code: 'permission_grant', key: 'providers.work', subject: 'provider', state: 'new' },
    }).parts;
  const [place, ...kept] = partsWith({ name: 'API key', end: 'wxyz', keptIn: 'memory' });
  expect(place).toMatchObject({ text: expect.stringContaining('Key: the one that was entered') });
  expect(kept).toMatchObject([
    { title: 'Kept in memory until Steward quits', text: expect.stringContaining('wxyz') },
    { kind: 'arguments' },
  ]);
  expect(partsWith({ name: 'API key', end: 'wxyz', keptIn: 'keychain' })[1]).toMatchObject({
    title: 'Kept in the keychain',
  });
  expect(partsWith()).toMatchObject([
    { text: expect.stringContaining('or else your OpenAI key') },
    { kind: 'arguments' },
  ]);
});
