import { gmail } from '@googleapis/gmail';
import pLimit from 'p-limit';
import { allowAll } from '../fixtures/allow-all.ts';
import { FixtureGmail } from '../fixtures/google/gmail-api.ts';
import { serveGoogleApis } from '../fixtures/google/google-apis.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import type { Bench } from './bench.ts';
import { outputOf } from './child-processes.ts';
import { comparison } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';

const LISTED = 100;
/** As our tool: Gmail refuses more at once from one user. */
const AT_ONCE = 10;
const HEADERS = ['Date', 'From', 'Subject'];

/**
 * gmail_search, policy and log included, against `@googleapis/gmail` as it comes: the same requests, as many at once.
 */
export const google: Bench = {
  name: 'google',
  meaning: 'How long it takes to list a hundred mails. The other side makes the same requests and nothing else.',
  run: async ({ isQuick }) => {
    const mailbox = new FixtureGmail();
    for (let index = 0; index < LISTED; index++)
      mailbox.add({ from: `Ada <ada${index}@example.com>`, subject: `Mail ${index}`, text: 'Some words '.repeat(10) });
    // As fast as Google would be from a good connection.
    mailbox.behaviour.delayMs = 20;
    const apis = await serveGoogleApis([mailbox.handler]);
    const endpoints = { googleApis: apis.url };
    const tools = new ToolHarness({ consent: allowAll, endpoints, google: apis.accounts });

    const ours = async () => {
      let text = '';
      const ms = await elapsedMs(async () => {
        text = await tools.text('gmail_search', { query: 'in:inbox', maxResults: LISTED });
      });
      requireAll(text.match(/^ID: /gm)?.length);
      return { ms };
    };
    const { messages } = gmail({ version: 'v1', rootUrl: apis.url }).users;
    const options = { headers: { authorization: 'Bearer token-1' } };
    const alone = async () => {
      let found = 0;
      const ms = await elapsedMs(async () => {
        const { data } = await messages.list({ userId: 'me', q: 'in:inbox', maxResults: LISTED }, options);
        const limit = pLimit(AT_ONCE);
        const get = (id: string) =>
          messages.get({ userId: 'me', id, format: 'metadata', metadataHeaders: HEADERS }, options);
        const listed = data.messages ?? [];
        found = (await Promise.all(listed.map(({ id }) => limit(() => get(id ?? ''))))).length;
      });
      requireAll(found);
      return { ms };
    };
    const first = (side: 'ours' | 'alone') => async () => {
      const args = ['--no-warnings', `${import.meta.dirname}/google-first-call.ts`, side, apis.url];
      return { ms: Number(await outputOf({ program: process.execPath, args, cwd: process.cwd(), env: process.env })) };
    };

    try {
      const lists = await interleaved({ ours, alone }, { warmUps: 3, rounds: isQuick ? 3 : 25 });
      const firsts = await interleaved(
        { ours: first('ours'), alone: first('alone') },
        { warmUps: 1, rounds: isQuick ? 2 : 10 },
      );
      const times = (samples: readonly { readonly ms: number }[]) => samples.map(({ ms }) => ms);
      const name = '@googleapis/gmail';
      return [
        comparison(
          { what: 'a list of 100 messages', unit: 'ms', ours: times(lists.ours) },
          { name, theirs: times(lists.alone) },
          { ratioAtMost: 1.1 },
        ),
        comparison(
          { what: 'first search of a process, from sources', unit: 'ms', ours: times(firsts.ours) },
          { name, theirs: times(firsts.alone) },
        ),
      ];
    } finally {
      await tools.dispose();
      await apis.close();
    }
  },
};

function requireAll(found: number | undefined): void {
  if (found !== LISTED) throw new Error(`${found} of ${LISTED} messages were found`);
}
