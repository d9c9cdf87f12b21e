import { expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../src-main/desktop/surface-files.ts';
import { AppRig, type RunningApp } from '../fixtures/electron-app.ts';

/**
 * What the chat's session is served, asked for in the main process: neither the policy nor the filter is in between.
 */
function ask({ app }: RunningApp, method: string, url: string) {
  return app.evaluate(
    async ({ session }, asked) => {
      const response = await session.defaultSession.fetch(asked.url, { method: asked.method });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
    { method, url },
  );
}

test('a page is served its own files with the policy on each, and nothing else', async (context) => {
  const running = await new AppRig(context).launch();

  const page = await ask(running, 'GET', 'steward://app/app.html');
  expect(page).toMatchObject({
    status: 200,
    headers: { ...SECURITY_HEADERS, 'content-type': 'text/html; charset=utf-8' },
  });
  const [, script = 'no script'] = /<script [^>]*src="([^"]+)"/.exec(page.body) ?? [];
  const code = await ask(running, 'GET', `steward://app${script}`);
  expect(code).toMatchObject({
    status: 200,
    headers: { ...SECURITY_HEADERS, 'content-type': 'text/javascript; charset=utf-8' },
  });
  expect(code.body).toContain('import');

  for (const [method, url] of [
    ['GET', 'steward://app/consent.html'],
    ['GET', 'steward://app/app-assets/..%2f..%2fmain.js'],
    ['GET', 'steward://app/app-assets/missing.js'],
    ['GET', 'steward://app/app.html?query'],
    ['HEAD', 'steward://app/app.html'],
    ['POST', 'steward://app/app.html'],
    ['GET', 'steward://consent/consent.html'],
  ] as const) {
    const refused = await ask(running, method, url);
    expect(refused, `${method} ${url}`).toMatchObject({
      status: 404,
      headers: { ...SECURITY_HEADERS, 'content-type': 'text/plain' },
    });
    expect(refused.body, `${method} ${url}`).not.toContain('<');
  }
});
