import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../src-main/tools/shell/shown-commands.ts';

test.each([
  ['serve --password=hunter2 --port 80', 'serve --password=[redacted] --port 80'],
  ['serve --verbose --password hunter2 --port 80', 'serve --verbose --password [redacted] --port 80'],
  ['serve --api-key "a b" x', 'serve --api-key [redacted] x'],
  ['serve -token abc', 'serve -token [redacted]'],
  ['serve --pass abc', 'serve --pass [redacted]'],
  ['env API_KEY=abc DB_PASSWORD="x y" node a.js', 'env API_KEY=[redacted] DB_PASSWORD=[redacted] node a.js'],
  ["sh -c 'GITHUB_TOKEN=abc make'", "sh -c 'GITHUB_TOKEN=[redacted] make'"],
  ['curl https://h/x?a=1&access_token=abc&b=2', 'curl https://h/x?a=1&access_token=[redacted]&b=2'],
  ['psql postgres://ada:secret@db/app', 'psql postgres://ada:[redacted]@db/app'],
  ['mysql -u root -psecret app', 'mysql -u root -p[redacted] app'],
  ['x -d {"password":"abc","user":"ada"}', 'x -d {"password":[redacted],"user":"ada"}'],
  ['curl -H Authorization: Bearer abcdefgh', 'curl -H Authorization: Bearer [redacted]'],
  ['run sk-ant-REDACTED', 'run [redacted]'],
])('%s → %s', (given, expected) => {
  expect(withoutSecrets(given)).toBe(expected);
});

test.each([
  'node --max-old-space-size=100 index.js',
  '/usr/bin/ssh-agent -s',
  'electron --type=renderer --field-trial-handle=3,i,1',
  'setxkbmap --keyboard us',
  'serve --password',
  'serve --password --port 80',
  'man password reset',
  'sh -c PWD=/home/ada make',
])('%s stays as it is', (line) => {
  expect(withoutSecrets(line)).toBe(line);
});

test('the value of a secret option never stays, whatever stands around it', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const secret = fc.stringMatching(/^[A-Z0-9]{8,20}$/).map((text) => `s3cr-${text}`);
  const option = fc.constantFrom(
    '--password=',
    '--password ',
    'API_KEY=',
    '--auth-token ',
    '"secret": "',
    'MY_SECRET=',
  );
  fc.assert(
    fc.property(fc.array(word), option, secret, fc.array(word), (before, name, value, after) => {
      const line = [...before, name + value, ...after].join(' ');
      expect(withoutSecrets(line)).not.toContain(value);
    }),
  );
});
