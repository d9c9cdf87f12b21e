import { expect, test } from 'vitest';
import { childEnvironment, withheldVariables } from '../../../src-main/processes/child-environment.ts';

const harmless = {
  PATH: '/bin',
  HOME: '/home/ada',
  EDITOR: 'vi',
  PWD: '/w',
  OLDPWD: '/',
  XDG_SESSION_ID: '2',
  XDG_SESSION_TYPE: 'wayland',
  TERM_SESSION_ID: 'w0t0',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  SSH_AUTH_SOCK: '/run/agent',
  XAUTHORITY: '/home/ada/.Xauthority',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@a.example',
  KEYBOARD: 'de',
  HTTPS_PROXY: 'http://proxy.example:3128',
  LS_COLORS: 'rs=0:di=01;34:*.key=00;32',
  SEARCH: '/a/token:/opt/secret:/b',
  LIMITS: '--token-limit=5000 --max-old-space-size=4096',
  NO_TOKEN: '',
};
const secret = {
  GOOGLE_CLIENT_ID: 'x',
  ANTHROPIC_API_KEY: 'y',
  MY_TOKEN: 'z',
  MYSQL_PWD: 'a',
  DB_PASS: 'b',
  GH_PAT: 'c',
  BASIC_AUTH: 'd',
  JWT: 'e',
  sessionCookie: 'f',
  SLACK_WEBHOOK: 'g',
  WALLET_SEED: 'h',
  SENTRY_DSN: 'i',
  DATABASE_URL: 'postgres://ada:pw@db/x',
  http_proxy: 'http://ada:pw@proxy.example',
  REDIS: 'redis://:pw@cache:6379',
  STORAGE: 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9v==',
  SQL: 'Server=db;User Id=ada;Password=pw1',
  LIBPQ: 'host=db user=ada password=pw1',
  OPTIONS: '--user=ada --password=pw1',
  JAVA_OPTS: '-Djavax.net.ssl.keyStorePassword=pw1',
  SPRING_JSON: '{"user":"ada","password":"pw1"}',
  YAML: 'token: pw1',
  PEM: '-----BEGIN RSA PRIVATE KEY-----',
  HF: 'Bearer abcdefgh',
};

test('children get nothing that looks like a secret, by its name or its value, and all the rest', () => {
  expect(childEnvironment({ ...secret, ...harmless })).toEqual(harmless);
});

test('withheld variables are listed by name', () => {
  expect(withheldVariables({ ...harmless, ...secret })).toEqual(Object.keys(secret).sort());
  expect(withheldVariables(harmless)).toEqual([]);
});
