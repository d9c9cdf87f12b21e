import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { elapsedMs } from './sampling.ts';

/** Prints how long the first search took in this process: our tool (`ours`), or `@googleapis/gmail` alone. */
const [side, url = ''] = process.argv.slice(2);
const token = 'token-1';

async function ours(): Promise<number> {
  const google = { address: async () => undefined, token: async () => token };
  const tools = new ToolHarness({ consent: allowAll, endpoints: { googleApis: url }, google });
  try {
    return await elapsedMs(() => tools.call('gmail_search', { query: 'in:inbox', maxResults: 1 }));
  } finally {
    await tools.dispose();
  }
}

async function alone(): Promise<number> {
  return elapsedMs(async () => {
    const { gmail } = await import('@googleapis/gmail');
    const { messages } = gmail({ version: 'v1', rootUrl: url }).users;
    const options = { headers: { authorization: `Bearer ${token}` } };
    const { data } = await messages.list({ userId: 'me', q: 'in:inbox', maxResults: 1 }, options);
    await messages.get({ userId: 'me', id: data.messages?.[0]?.id ?? '', format: 'metadata' }, options);
  });
}

process.stdout.write(String(await (side === 'ours' ? ours() : alone())));
