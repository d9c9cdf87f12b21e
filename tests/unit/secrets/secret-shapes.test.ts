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
    ...[
      'DB_PASS',
      'SSHPASS',
      'MYSQL_PWD',
      'GH_PAT',
      'BASIC_AUTH',
      'OAUTH2',
      'JWT',
      'COOKIES',
      'PHP_SESSION',
      'SLACK_WEBHOOK',
    ],
    ...['WALLET_SEED', 'SENTRY_DSN', 'accessKey2', 'dbPass', 'AUTH0_DOMAIN'],
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
    ...[
      'PWD',
      'OLDPWD',
      'XAUTHORITY',
      'DBUS_SESSION_BUS_ADDRESS',
      'GIT_AUTHOR_NAME',
      'XDG_SESSION_TYPE',
      'TERM_SESSION_ID',
    ],
    ...['COMPASS', 'BYPASS_CACHE', 'PATH_INFO', 'AUTHOR', 'PYTHONHASHSEED', 'SESSIONIZE', 'PATTERN', 'GIT_ASKPASS'],
  ];
  expect(secret.filter((name) => !looksSecret(name))).toEqual([]);
  expect(plain.filter(looksSecret)).toEqual([]);
});
