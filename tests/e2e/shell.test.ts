import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AppRig, needElectron, type RunningApp } from '../fixtures/electron-app.ts';
import { giveToUser } from '../fixtures/electron-machine.ts';
import { expectGone, expectSandboxed } from '../fixtures/process-table.ts';

const MISCONFIGURED = 2;
const SOON = { timeout: 30_000 };

/** The window of the app, as the main process sees it. */
async function bounds({ app }: RunningApp) {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
}

async function isShown({ app }: RunningApp) {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
}

test('the window opens with its name, in a real sandbox, and its page has no Node', async (context) => {
  const { chat, processes } = await new AppRig(context).launch();

  expect(await chat.title()).toContain('Steward');
  expect(chat.url()).toMatch(/^steward:\/\/app\//);
  const all = processes();
  const renderers = all.filter(({ command }) => command.includes('--type=renderer'));
  await expectSandboxed(renderers);
  expect(all.filter(({ command }) => command.includes('--no-sandbox'))).toEqual([]);
  const inPage = await chat.evaluate(() => ({
    globals: ['require', 'process', 'Buffer', 'module', '__dirname'].filter((name) => name in globalThis),
    bridge: Object.keys((globalThis as unknown as { steward: object }).steward).sort(),
  }));
  expect(inPage).toEqual({ globals: [], bridge: ['on', 'request'] });
});

test('the app has the name and the version of the product', async (context) => {
  const { app } = await new AppRig(context).launch();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await app.evaluate(({ app: own }) => [own.getName(), own.getVersion()])).toEqual(['Steward', version]);
});

test('the page goes nowhere: navigation, new windows, frames, downloads and permissions are denied', async (context) => {
  const running = await new AppRig(context).launch();
  const { app, chat } = running;
  await app.evaluate(({ session }) => {
    const seen: string[] = [];
    Object.assign(globalThis, { downloads: seen });
    session.defaultSession.on('will-download', (event, item) => {
      if (!event.defaultPrevented) seen.push(item.getURL());
    });
  });
  const page = () => chat.url().split('#')[0];
  const before = page();

  const denied = await chat.evaluate(async () => {
    const attempt = async (what: () => unknown) => {
      try {
        return String(await what());
      } catch (error) {
        return error instanceof Error ? error.name : String(error);
      }
    };
    const click = (attributes: Record<string, string>) => {
      const link = Object.assign(document.createElement('a'), attributes);
      document.body.append(link);
      link.click();
      link.remove();
    };
    click({ href: 'https://example.com/away' });
    click({ href: 'steward://consent/consent.html' });
    click({ href: 'file:///etc/passwd' });
    click({ href: URL.createObjectURL(new Blob(['x'])), download: 'dropped.txt' });
    const frame = document.createElement('iframe');
    frame.src = 'https://example.com/frame';
    document.body.append(frame);
    return {
      open: await attempt(() => window.open('https://example.com/open')),
      openSelf: await attempt(() => window.open('steward://app/app.html')),
      notifications: await attempt(() => Notification.requestPermission()),
      permissions: await Promise.all(
        ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi'].map(async (name) => {
          const { state } = await navigator.permissions.query({ name: name as PermissionName });
          return `${name}: ${state}`;
        }),
      ),
      place: await attempt(
        () =>
          new Promise((_done, fail) =>
            navigator.geolocation.getCurrentPosition(
              () => undefined,
              (error) => fail(String(error.code)),
            ),
          ),
      ),
      clipboard: await attempt(() => navigator.clipboard.readText()),
      fetch: await attempt(() => fetch('https://example.com/data')),
      consentPage: await attempt(() => fetch('steward://consent/consent.html')),
      worker: await attempt(() => navigator.serviceWorker.register('data:text/javascript,')),
      script: await attempt(() => new Function('return 1')()),
      webview: String(document.createElement('webview').constructor === HTMLElement),
    };
  });

  expect(denied).toEqual({
    open: 'null',
    openSelf: 'null',
    notifications: 'denied',
    permissions: ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi'].map(
      (name) => `${name}: denied`,
    ),
    place: '1',
    clipboard: 'NotAllowedError',
    fetch: 'TypeError',
    consentPage: 'TypeError',
    worker: expect.stringMatching(/Error$/),
    script: 'EvalError',
    webview: 'true',
  });
  expect(page()).toBe(before);
  expect(chat.frames().filter((frame) => frame.url().includes('example.com'))).toEqual([]);
  expect(app.windows().filter((page) => !/^steward:\/\/(app|consent)\//.test(page.url()))).toEqual([]);
  expect(await app.evaluate(() => (globalThis as unknown as { downloads: string[] }).downloads)).toEqual([]);
});

test('a second start with the same profile brings the first window to the front, and ends', async (context) => {
  const rig = new AppRig(context);
  const { app } = await rig.launch();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());

  const second = rig.start();
  expect(await second.ended).toBe(0);
  expect(second.printed).toContain(rig.profile);
  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.isVisible()));
  await vi.waitFor(async () => expect(await isVisible()).toEqual([true]), SOON);
});

test('with another profile, a second window opens', async (context) => {
  const [first, second] = [new AppRig(context), new AppRig(context)];
  const running = [await first.launch(), await second.launch()];
  expect(await Promise.all(running.map(({ chat }) => chat.evaluate(() => location.protocol)))).toEqual([
    'steward:',
    'steward:',
  ]);
});

test('the window comes back where it was and as large as it was', async (context) => {
  const rig = new AppRig(context);
  const before = await rig.launch();
  await vi.waitFor(async () => expect(await isShown(before)).toBe(true), SOON);
  const placed = { x: 120, y: 80, width: 900, height: 640 };
  const move = () =>
    before.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), placed);
  const remembered = () => JSON.parse(readFileSync(join(rig.profile, 'window.json'), 'utf8')).bounds;
  // X answers a move with events; one of the opening that is still on its way would put the window back where it was.
  await vi.waitFor(
    async () => {
      await move();
      expect(remembered()).toEqual(placed);
    },
    { ...SOON, interval: 500 },
  );
  await before.close();
  const after = await rig.launch();
  await vi.waitFor(async () => expect(await bounds(after)).toEqual(placed), SOON);
});

test('a position that is no longer on a screen, or an invalid file, does not hide the window', async (context) => {
  const rig = new AppRig(context);
  const memory = join(rig.profile, 'window.json');
  rig.write(memory, JSON.stringify({ bounds: { x: 90_000, y: 90_000, width: 900, height: 640 } }));
  const first = await rig.launch();
  expect((await bounds(first))?.x).toBeLessThan(2000);
  await first.close();
  rig.write(memory, '{ "bounds": ');
  expect((await bounds(await rig.launch()))?.width).toBeGreaterThan(400);
});

test('it quits within two seconds and leaves no process behind', async (context) => {
  const running = await new AppRig(context).launch();
  const before = running.processes();
  expect(before.length).toBeGreaterThan(2);
  void running.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await expectGone(before);
  expect(await running.ended).toBe(0);
});

test('it quits in the usual way when the system tells it to end', async (context) => {
  const running = await new AppRig(context).launch();
  const before = running.processes();
  process.kill(running.pid, 'SIGTERM');
  await expectGone(before);
  expect(await running.ended).toBe(0);
});

test('an unusable profile folder is reported clearly, and nothing starts', async (context) => {
  const rig = new AppRig(context);
  rmSync(rig.profile, { recursive: true });
  writeFileSync(rig.profile, 'a file');
  const started = rig.start();
  await vi.waitFor(() => expect(started.printed).toContain(`${rig.profile} is a file`), SOON);
  await started.isReady();
  rig.shootScreen('cannot-start');
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(MISCONFIGURED);
});

test('a database that is damaged is set aside, and the window says so', async (context) => {
  const rig = new AppRig(context);
  await (await rig.launch()).close();
  const database = join(rig.profile, 'steward.db');
  const damaged = 'this is no database, '.repeat(500);
  rig.write(database, damaged);

  const running = await rig.launch();
  await running.chat.getByRole('status').filter({ hasText: 'steward.db.damaged-1' }).waitFor();
  await running.shoot('damaged-database');
  expect(readFileSync(`${database}.damaged-1`, 'utf8')).toBe(damaged);
});

test('a missing workspace is named in the window, which goes on once it is there', async (context) => {
  const rig = new AppRig(context);
  const folder = join(rig.home, 'drive', 'project');
  const running = await rig.launch({ args: ['--workspace', folder] });
  const alert = running.chat.getByRole('alert');
  const notice = alert.filter({ hasText: `The workspace ${folder} does not exist.` });
  await notice.getByRole('button', { name: 'Choose a folder…' }).waitFor();
  await running.shoot('missing-workspace');
  mkdirSync(folder, { recursive: true });
  giveToUser(rig.home, needElectron(context));
  await notice.waitFor({ state: 'detached' });

  chmodSync(folder, 0);
  const denied = alert.filter({ hasText: `The workspace ${folder} cannot be read: permission denied.` });
  await denied.waitFor();
  chmodSync(folder, 0o755);
  await denied.waitFor({ state: 'detached' });
});
