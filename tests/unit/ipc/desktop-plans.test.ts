import { expect, test } from 'vitest';
import { plannedEffects } from '../../../src-main/ipc/desktop-tools/desktop-plans.ts';
import type { AssessContext } from '../../../src-main/tools/contract.ts';

test('open_url is a request of the browser of the user, not of Steward', async () => {
  const http: AssessContext['http'] = {
    access: (url, method) => ({ kind: 'request', class: 'network', url, host: new URL(url).hostname, method }),
  };
  const { access } = await plannedEffects('open_url', { url: 'https://bank.example/' }, { http } as AssessContext);
  expect(access).toMatchObject([{ class: 'network', host: 'bank.example', inBrowser: true }]);
});
