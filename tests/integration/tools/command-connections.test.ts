import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../../src-main/network/http-client.ts';
import { kindOf } from '../../../src-main/policy/accesses/access-kinds.ts';
import type { ConsentAnswer, ConsentPort, ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { gateLack } from '../../../src-main/sandbox/installed.ts';
import { need, needSandbox } from '../../fixtures/machine-needs.ts';
import { no, untrusted, yesOnce } from '../../fixtures/memory-ports.ts';
import { standInInternet } from '../../fixtures/stand-in-internet.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

type Answer = (asked: ToolConsentRequest, signal: AbortSignal) => ConsentAnswer | Promise<ConsentAnswer>;

let tools: ToolHarness;
let answer: Answer;
const asked: ToolConsentRequest[] = [];

beforeEach((context) => {
  needSandbox(context);
  need(context, gateLack() === undefined, `needs ${gateLack()}`);
  asked.length = 0;
  const consent: ConsentPort = {
    ask: async (request, signal) => {
      if (request.kind !== 'tool') throw new Error(`asked about ${request.kind}`);
      asked.push(request);
      return answer(request, signal);
    },
  };
  tools = new ToolHarness({ consent, remembers: true });
  tools.rules.add({ label: 'freely', tool: null, matcher: { kind: 'work-freely', path: tools.workspace } }, null);
});
afterEach(() => tools?.dispose());

const hostsOf = ({ access }: ToolConsentRequest) =>
  access.map((each) => (each.kind === 'connection' ? `${each.peer.host}:${each.peer.port}` : each.kind));
const curl = (url: string) => `curl -sS --max-time 20 ${url}`;

describe('a command that works freely', () => {
  test('is connected to a host that the user allows, and what it fetched counts as text from outside', async () => {
    answer = () => yesOnce;
    const http = await standInInternet(tools.environment.http);
    const line = `${curl('http://one.example/')} && ${curl('http://one.example/again')}`;
    const { decision, result } = await tools.turn('bash', { command: line }, { http });
    expect(result.text).toBe('one.example answers\none.example answers');
    expect(decision).toMatchObject({ by: 'grant' });
    expect(asked.map(hostsOf)).toEqual([['one.example:80']]);
    expect(result.marks).toContainEqual({ kind: 'untrusted', source: expect.stringContaining('fetched') });
    expect(result.card).toMatchObject({ connections: { reached: ['one.example'], refused: [] } });
  });

  test('is refused what the user refuses, once, and both are told so', async () => {
    answer = () => no;
    const http = await standInInternet(tools.environment.http);
    const again = `${curl('http://one.example/')}; ${curl('http://one.example/')}; true`;
    const { result } = await tools.turn('bash', { command: again }, { http });
    expect(asked).toHaveLength(1);
    expect(result.text).toContain('[connections refused: one.example (not allowed)]');
    expect(result.marks ?? []).not.toContainEqual(expect.objectContaining({ kind: 'untrusted' }));
    expect(result.card).toMatchObject({
      connections: { reached: [], refused: [{ host: 'one.example', why: 'declined' }] },
    });
  });

  test('has the hosts that it wants at once on one card', async () => {
    answer = () => yesOnce;
    const http = await standInInternet(tools.environment.http);
    const both = `${curl('http://one.example/')} & ${curl('http://two.example/')} & wait`;
    const { result } = await tools.turn('bash', { command: both }, { http });
    expect(result.text).toContain('two.example answers');
    expect(asked.map((each) => hostsOf(each).sort())).toEqual([['one.example:80', 'two.example:80']]);
  });

  test('that reaches nobody asks nothing and marks nothing', async () => {
    const { result } = await tools.turn('bash', { command: 'echo hello > made; cat made' });
    expect([result.text, asked.length]).toEqual(['hello', 0]);
    expect(result.card).not.toHaveProperty('connections');
  });

  test('doesn’t run out of time while the user is asked', async () => {
    let later: () => void = () => undefined;
    const isLater = new Promise<void>((resolve) => {
      later = resolve;
    });
    answer = async () => {
      await isLater;
      return yesOnce;
    };
    const http = await standInInternet(tools.environment.http);
    const running = tools.turn('bash', { command: curl('http://one.example/'), timeout: 3_000 }, { http });
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
    // Longer than all of its time.
    await once(AbortSignal.timeout(4_000), 'abort');
    later();
    expect((await running).result.text).toBe('one.example answers');
  });

  test('that ends takes its question along', async () => {
    let signal: AbortSignal | undefined;
    answer = (_, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const http = await standInInternet(tools.environment.http);
    const line = `timeout 2 ${curl('http://one.example/')}; echo over`;
    expect((await tools.turn('bash', { command: line }, { http })).result.text).toContain('over');
    expect(signal?.aborted).toBe(true);
  });
});

describe('a host is not asked about', () => {
  test('that the user named, on any of the usual ports', async () => {
    answer = () => no;
    const http = await standInInternet(tools.environment.http);
    const command = `${curl('http://one.example/')}; ${curl('http://two.example/')}`;
    const { result } = await tools.turn('bash', { command }, { http, said: 'get http://one.example/ for me' });
    expect(result.text).toContain('one.example answers');
    expect(asked.map(hostsOf)).toEqual([['two.example:80']]);
  });

  test('that a rule allows in this folder', async () => {
    answer = ({ offers }) => {
      const [rule] = offers;
      if (rule === undefined) throw new Error('nothing was offered');
      return { answer: 'allow', scope: 'always', by: 'user', rule };
    };
    const http = await standInInternet(tools.environment.http);
    for (let runs = 0; runs < 2; runs += 1)
      expect((await tools.turn('bash', { command: curl('http://one.example/') }, { http })).result.isError).toBe(false);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.offers.map(({ matcher }) => matcher)).toEqual([
      { kind: 'connection', class: 'network', path: tools.workspace, to: { host: 'one.example', port: 80 } },
    ]);
  });

  test('except beside text from outside: then once more in the conversation', async () => {
    answer = () => yesOnce;
    const to = { host: 'one.example', port: 443 };
    const matcher = { kind: 'connection', class: 'network', path: tools.workspace, to } as const;
    tools.rules.add({ label: 'one.example', tool: null, matcher }, null);
    const http = await standInInternet(tools.environment.http);
    const marks = [untrusted];
    for (let runs = 0; runs < 2; runs += 1)
      await tools.turn('bash', { command: curl('http://one.example/') }, { http, marks });
    expect(asked.map(({ reason }) => reason)).toEqual([{ code: 'connection_marked', host: 'one.example' }]);
  });
});

test('a public name that leads to the user’s own network is asked about again', async () => {
  answer = () => yesOnce;
  const server = createServer((_, response) => response.end('inside\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const http = createHttpClient({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  onTestFinished(() => http.close());
  const command = curl(`http://one.example:${port}/`);
  expect((await tools.turn('bash', { command }, { http })).result.text).toBe('inside');
  expect(asked.map(({ reason }) => reason.code)).toEqual(['connection', 'private_network']);
});

test('no flag but --approve all stands for a yes', () => {
  const access = {
    ...({ kind: 'connection', class: 'network', folder: '/w', line: 'npm ci' } as const),
    peer: { host: 'one.example', port: 443 },
  };
  expect(kindOf(access).leastFlag(access)).toBe('all');
});
