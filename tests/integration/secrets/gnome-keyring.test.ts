import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyringHome } from '../../fixtures/keyring/keyring-session.ts';
import { needKeyring, needLinux } from '../../fixtures/machine-needs.ts';

/** Told from a keychain that is not there. */
const SILENT = expect.stringContaining('did not answer');

let home: KeyringHome;
let secret: string;
beforeEach(() => {
  home = new KeyringHome();
  secret = `sk-ant-${randomBytes(24).toString('hex')}`;
});
afterEach(() => home.remove());

describe('with gnome-keyring', () => {
  beforeEach(needKeyring);

  test('a key that one process stores is read by another, and is gone once removed', async () => {
    const stored = await home.run('unlocked', [
      { do: 'get', name: 'anthropic-api-key' },
      { do: 'set', name: 'anthropic-api-key', value: `  ${secret}\n` },
    ]);
    expect(stored.report).toEqual({ answers: [null, { storedIn: 'keychain' }], notices: [], backend: 'keychain' });

    const read = await home.run('unlocked', [{ do: 'get', name: 'anthropic-api-key' }, { do: 'status' }]);
    expect(read.report.answers[0]).toEqual({ value: secret, source: 'keychain' });
    expect(read.report.answers[1]).toContainEqual({ name: 'anthropic-api-key', isSet: true, source: 'keychain' });
    expect(JSON.stringify(read.report.answers[1])).not.toContain(secret);

    const removed = await home.run('unlocked', [
      { do: 'remove', name: 'anthropic-api-key' },
      { do: 'get', name: 'anthropic-api-key' },
      { do: 'remove', name: 'anthropic-api-key' },
    ]);
    expect(removed.report.answers).toEqual([{ removed: true }, null, { removed: false }]);
    expect((await home.run('unlocked', [{ do: 'get', name: 'anthropic-api-key' }])).report.answers).toEqual([null]);
  });

  test('the keychain is known by its name', async () => {
    const { report } = await home.run('unlocked', [{ do: 'describe' }]);
    expect(report.answers).toEqual([{ kind: 'secret-service', product: 'gnome-keyring' }]);
  });

  test("an MCP server's secret has a separate entry", async () => {
    const name = 'mcp/files & more/API_KEY';
    await home.run('unlocked', [{ do: 'set', name, value: secret }]);
    const { report } = await home.run('unlocked', [
      { do: 'get', name },
      { do: 'get', name: 'mcp/files/API_KEY' },
    ]);
    expect(report.answers).toEqual([{ value: secret, source: 'keychain' }, null]);
  });

  test('the keychain wins over the environment, and the environment over .env', async () => {
    writeFileSync(join(home.launchDirectory, '.env'), 'BRAVE_API_KEY=from-dotenv\nOPENAI_API_KEY=from-dotenv\n');
    await home.run('unlocked', [{ do: 'set', name: 'anthropic-api-key', value: secret }]);
    const environment = { ANTHROPIC_API_KEY: 'from-environment', OPENAI_API_KEY: 'from-environment' };
    const names = ['anthropic-api-key', 'openai-api-key', 'brave-api-key'];
    const { report } = await home.run(
      'unlocked',
      names.map((name) => ({ do: 'get', name })),
      environment,
    );
    expect(report.answers).toEqual([
      { value: secret, source: 'keychain' },
      { value: 'from-environment', source: 'environment' },
      { value: 'from-dotenv', source: '.env' },
    ]);
  });

  test('a locked keychain is told apart from an empty one, and nothing is lost in it', async () => {
    await home.run('unlocked', [{ do: 'set', name: 'brave-api-key', value: secret }]);
    const locked = await home.run(
      'locked',
      [
        { do: 'get', name: 'openai-api-key' },
        { do: 'get', name: 'brave-api-key' },
        { do: 'remove', name: 'brave-api-key' },
        { do: 'set', name: 'gemini-api-key', value: `${secret}2` },
        { do: 'get', name: 'gemini-api-key' },
      ],
      { BRAVE_API_KEY: 'from-environment' },
    );
    expect(locked.report.answers).toMatchObject([
      null,
      { value: 'from-environment', source: 'environment' },
      { code: 'not_removed', message: expect.stringContaining('is locked') },
      { storedIn: 'memory' },
      { value: `${secret}2`, source: 'memory' },
    ]);
    expect(locked.report.notices.map(({ code }) => code)).toEqual([
      'keychain_locked',
      'keychain_unavailable',
      'kept_in_memory',
    ]);
    expect(locked.report.notices[1]?.message).toContain('it is locked');
    expect(locked.report.backend).toBe('memory');
    const again = await home.run('unlocked', [
      { do: 'get', name: 'brave-api-key' },
      { do: 'get', name: 'gemini-api-key' },
    ]);
    expect(again.report.answers).toEqual([{ value: secret, source: 'keychain' }, null]);
  });

  test('a keychain service that never answers holds nothing up for long, not even the end of the process', async () => {
    const { report } = await home.run('never_answers', [{ do: 'get', name: 'anthropic-api-key' }, { do: 'status' }], {
      ANTHROPIC_API_KEY: 'from-environment',
    });
    expect(report.answers[0]).toEqual({ value: 'from-environment', source: 'environment' });
    expect(report.notices).toMatchObject([{ code: 'keychain_unavailable', message: SILENT }]);
  });

  test('a bus without a keychain service counts as no keychain', async () => {
    const { report } = await home.run('not_installed', [{ do: 'set', name: 'anthropic-api-key', value: secret }]);
    expect(report.answers).toEqual([{ storedIn: 'memory' }]);
    expect(report.notices).toMatchObject([
      { code: 'kept_in_memory', message: expect.stringContaining('no keychain service') },
    ]);
  });

  test('no secret is in process arguments, in errors, in output or in clear in any file', async () => {
    const { report, stderr } = await home.run('unlocked', [
      { do: 'set', name: 'anthropic-api-key', value: secret },
      { do: 'search_processes', name: secret },
      { do: 'set', name: 'anthropic-api-key', value: `${secret}\nsecond line` },
      { do: 'set', name: 'anthropic-api-key', value: `${secret}\u200b` },
      { do: 'status' },
    ]);
    expect(report.answers).toMatchObject([
      { storedIn: 'keychain' },
      [],
      { code: 'bad_value' },
      { code: 'bad_value' },
      {},
    ]);
    expect(JSON.stringify(report)).not.toContain(secret);
    expect(stderr).not.toContain(secret);
    const locked = await home.run('locked', [
      { do: 'set', name: 'openai-api-key', value: secret },
      { do: 'remove', name: 'anthropic-api-key' },
    ]);
    expect(JSON.stringify(locked.report)).not.toContain(secret);
    expect(locked.stderr).not.toContain(secret);
    const files = readdirSync(home.directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toContain('login.keyring');
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(secret);
  });
});

describe('without a session bus', () => {
  beforeEach((context) => needLinux(context, 'only Linux has its keychain on a session bus'));

  test('keys are kept for the session only, and the user is told', async () => {
    const { report } = await home.run('none', [
      { do: 'set', name: 'anthropic-api-key', value: secret },
      { do: 'get', name: 'anthropic-api-key' },
      { do: 'remove', name: 'anthropic-api-key' },
      { do: 'get', name: 'anthropic-api-key' },
    ]);
    expect(report).toMatchObject({
      answers: [{ storedIn: 'memory' }, { value: secret, source: 'memory' }, { removed: true }, null],
      backend: 'memory',
    });
    expect(report.notices[0]).toEqual({
      code: 'kept_in_memory',
      message:
        'The keychain cannot be used: there is no session bus to reach it by. anthropic-api-key is kept only until Steward closes.',
    });
  });

  test("a key never lands in the kernel's keyring, where another process would find it", async () => {
    await home.run('none', [{ do: 'set', name: 'anthropic-api-key', value: secret }]);
    const { report } = await home.run('none', [{ do: 'get', name: 'anthropic-api-key' }]);
    expect(report.answers).toEqual([null]);
    const { getPassword } = await import('keytar/keytar.js');
    if (process.env.DBUS_SESSION_BUS_ADDRESS === undefined)
      expect(await getPassword('Steward', 'anthropic-api-key')).not.toBe(secret);
  });

  test('a bus that accepts the connection and stays silent holds nothing up for long', async () => {
    const path = join(home.directory, 'mute-bus');
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const { report } = await home.run('none', [{ do: 'status' }, { do: 'get', name: 'brave-api-key' }], {
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
      BRAVE_API_KEY: secret,
    });
    server.close();
    expect(report.answers[1]).toEqual({ value: secret, source: 'environment' });
    expect(report.notices).toMatchObject([{ code: 'keychain_unavailable', message: SILENT }]);
  });

  test('a bus address that leads nowhere counts as no keychain', async () => {
    for (const address of [
      'unix:path=/nonexistent/bus',
      'autolaunch:',
      'disabled:',
      '%%%',
      'tcp:host=127.0.0.1,port=1',
    ]) {
      const { report } = await home.run('none', [{ do: 'get', name: 'brave-api-key' }], {
        DBUS_SESSION_BUS_ADDRESS: address,
      });
      expect(report).toMatchObject({ answers: [null], notices: [{ code: 'keychain_absent' }], backend: 'memory' });
    }
  });

  test.each(['nonsense\r\n', 'OK 1234\r\n'.padEnd(4096, '\xff')])(
    'a bus that answers with nonsense counts as no keychain (%#)',
    async (talk) => {
      const path = join(home.directory, 'odd-bus');
      const server = createServer((connection) => connection.on('error', () => undefined).write(talk, 'latin1'));
      await new Promise<void>((resolve) => server.listen(path, resolve));
      const { report } = await home.run('none', [{ do: 'get', name: 'brave-api-key' }], {
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
      });
      server.close();
      expect(report).toMatchObject({ answers: [null], notices: [{ code: 'keychain_unavailable' }], backend: 'memory' });
    },
  );
});
