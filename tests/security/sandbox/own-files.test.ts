import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { needSandbox } from '../../fixtures/machine-needs.ts';

/** The files of the sandbox are temporary, and TMPDIR may be in the workspace. */
test('a command can’t change the filter that the next one gets', async (context) => {
  needSandbox(context);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'steward-root-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', root);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const { Sandbox } = await import('../../../src-main/sandbox/sandbox.ts');
  const sandbox = new Sandbox({ home: homedir(), environment: () => process.env, secretFileTest: () => () => false });
  const given = { directory: root, roots: [root], writable: root, hidden: [], profile: '/nonexistent' };
  const run = async (line: string) => {
    const { command, args, environment } = await sandbox.command({ ...given, argv: ['bash', '-c', line] });
    return execFileSync(command, [...args], { env: environment, encoding: 'utf8' });
  };
  await run(
    'for each in steward-*; do chmod -R u+w $each; rm -rf $each/*; mv $each away; done 2>/dev/null; touch made',
  );
  expect(existsSync(join(root, 'made'))).toBe(true);
  const [folder = ''] = readdirSync(root).filter((name) => name.startsWith('steward-'));
  expect(readdirSync(join(root, folder)).sort()).toEqual(['filter', 'hidden']);
  expect(await run('unshare --user true 2>&1 || echo held')).toContain('held');
});
