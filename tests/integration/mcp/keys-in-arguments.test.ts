import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectionTo, STDIO_SERVER, stdioConfig } from '../../fixtures/mcp/connections.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const KEY_ARGUMENT = '--api-key=${keychain:KEY}';
/** The key has no shape of a credential, so only knowing it helps. */
const KEY = 'horse battery staple';

test('a key in an argument is put there when the process starts, and nowhere else', async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER, 'plain', KEY_ARGUMENT]), {
    secretOf: async (name) => (name === 'KEY' ? KEY : undefined),
  });
  await connection.start();
  expect(connection.state.name).toBe('ready');
  expect(readFileSync(`/proc/${connection.pid}/cmdline`, 'utf8').split('\0')).toContain(`--api-key=${KEY}`);
  expect(connection.config.args).toContain(KEY_ARGUMENT);
});

test('a server that prints its arguments shows no key, and one whose key is missing is not started', async () => {
  const printing = ['-e', 'console.error(process.argv.slice(1).join()); process.exit(2)', '--', KEY_ARGUMENT];
  const { connection } = connectionTo(stdioConfig(printing), { secretOf: async () => KEY });
  await connection.start();
  expect(connection.state).toMatchObject({ name: 'failed', problem: { code: 'exited' } });
  const shown = JSON.stringify([connection.state, connection.log.entries]);
  expect(shown).toContain('--api-key=[redacted]');
  expect(shown).not.toContain(KEY);
  const { connection: without } = connectionTo(stdioConfig(printing));
  await without.start();
  expect(without.state).toMatchObject({ name: 'failed', problem: { code: 'secret_missing', secret: 'KEY' } });
});
