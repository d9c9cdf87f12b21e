import { expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../src-main/desktop/surface-files.ts';
import { AppRig } from '../fixtures/electron-app.ts';

test('a page is served its own files with the policy on each, and nothing else', async (context) => {
  const { app, chat } = await new AppRig(context).launch();
  const script = await chat.evaluate(() => document.querySelector('script')?.src ?? '');
  const answers = await app.evaluate(
    async ({ session }, requests) =>
      Promise.all(
        requests.map(async ([method, url]) => {
          try {
            const response = await session.defaultSession.fetch(url, { method });
            const headers = Object.fromEntries(response.headers);
            return { status: response.status, headers, body: await response.text() };
          } catch (error) {
            return { status: error instanceof Error ? error.message : String(error), headers: {}, body: '' };
          }
        }),
      ),
    [
      ['GET', 'steward://app/app.html'],
      ['GET', script],
      ['GET', 'steward://app/consent.html'],
      ['GET', 'steward://app/app-assets/..%2f..%2fmain.js'],
      ['GET', 'steward://app/app-assets/missing.js'],
      ['GET', 'steward://app/app.html?query'],
      ['HEAD', 'steward://app/app.html'],
      ['POST', 'steward://app/app.html'],
      ['GET', 'steward://consent/consent.html'],
    ] as const,
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 404, 404, 404, 404]);
  const [page, code, ...refused] = answers;
  expect(page?.body).toContain('<div id="app">');
  expect(page?.headers).toMatchObject({ ...SECURITY_HEADERS, 'content-type': 'text/html; charset=utf-8' });
  expect(code?.headers).toMatchObject({ ...SECURITY_HEADERS, 'content-type': 'text/javascript; charset=utf-8' });
  for (const { headers } of refused)
    expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'content-type': 'text/plain' });
});
