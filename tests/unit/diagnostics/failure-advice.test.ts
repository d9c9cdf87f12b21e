import { expect, test } from 'vitest';
import { adviceFor, adviceForState } from '../../../src-main/diagnostics/failure-advice.ts';
import type { ServerProblem } from '../../../src-main/mcp/status/server-problem.ts';

const problems: readonly ServerProblem[] = [
  { code: 'not_configured' },
  { code: 'secret_missing', secret: 'TOKEN' },
  { code: 'command_not_found', command: 'tracker', searchPath: '/usr/bin' },
  { code: 'not_started', reason: 'permission denied' },
  { code: 'exited', exitCode: 1, signal: null, output: { telling: '', lines: '' } },
  { code: 'timed_out', seconds: 30, output: null },
  ...[400, 401, 403, 404, 405, 418, 429, 500].map((status) => ({ code: 'http_status' as const, status, text: '' })),
  { code: 'address_not_allowed', url: 'http://10.0.0.1/' },
  { code: 'unreachable', reason: 'connection refused' },
  { code: 'protocol', reason: 'no JSON' },
];

test('every problem of a server has advice', () => {
  for (const problem of problems)
    expect(adviceFor(problem, { transport: 'http' }), JSON.stringify(problem)).not.toEqual([]);
});

test('a missing runtime is named with the product that has it', () => {
  const missing = (command: string) =>
    adviceFor({ code: 'command_not_found', command, searchPath: '' }, { command, transport: 'stdio' });
  expect(missing('npx')[0]).toEqual({ code: 'install', program: 'node' });
  expect(missing('uvx')[0]).toEqual({ code: 'install', program: 'uv' });
});

test.each([
  [null, 'SIGKILL', { code: 'ended_from_outside', signal: 'SIGKILL' }],
  [null, 'SIGTERM', { code: 'ended_from_outside', signal: 'SIGTERM' }],
  [null, 'SIGSEGV', { code: 'crashed', signal: 'SIGSEGV' }],
  // What docker, npx and shells make of it.
  [137, null, { code: 'ended_from_outside', signal: 'SIGKILL' }],
  [134, null, { code: 'crashed', signal: 'SIGABRT' }],
  [1, null, { code: 'read_stderr' }],
  [128, null, { code: 'read_stderr' }],
] as const)('an end with code %j and signal %j has the advice for it', (exitCode, signal, advice) => {
  const output = { telling: 'Listening', lines: 'Listening' };
  const problem = { code: 'exited', exitCode, signal, output } as const;
  expect(adviceFor(problem, { transport: 'stdio' })).toEqual([advice]);
});

test('the advice follows the output first: docker reports a missing daemon with an exit code of its own', () => {
  const output = { telling: 'error', lines: 'Cannot connect to the Docker daemon\nerror' };
  const problem = { code: 'exited', exitCode: 137, signal: null, output } as const;
  expect(adviceFor(problem, { transport: 'stdio' })).toEqual([{ code: 'start_docker' }]);
});

test('for a server that connected and could not list its tools, the advice does not doubt the address', () => {
  const problem = { code: 'http_status', status: 404, text: '' } as const;
  const advice = (name: 'failed' | 'listing-failed') => adviceForState({ name, problem }, { transport: 'http' });
  expect(advice('listing-failed')).toEqual([{ code: 'listing_failed' }]);
  expect(advice('failed')[0]).toEqual({ code: 'check_url' });
});
