import { expect, test } from 'vitest';
import { looksSecret } from '../../../src-main/secrets/secret-shapes.ts';

test('names that look like secrets are told from names that only sound alike', () => {
  const secret = [
    'BRAVE_API_KEY',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'MYSQL_ROOT_PASSWD',
    'GPG_PASSPHRASE',
    'google_client_id',
    'DB_PASSWORD',
    'AZURE_CREDENTIALS',
    'apiKey',
    'npm_config__authToken',
    'OPENAI_APIKEY',
    'KEY',
    'SSH_KEYS',
    'HF_TOKENS',
  ];
  const plain = [
    'PATH',
    'HOME',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'SSH_AUTH_SOCK',
    'LANG',
    'HOTKEYED',
    'XDG_CONFIG_HOME',
  ];
  expect(secret.filter((name) => !looksSecret(name))).toEqual([]);
  expect(plain.filter(looksSecret)).toEqual([]);
});
