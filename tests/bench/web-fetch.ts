import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { convert } from 'html-to-text';
import { flagConsent } from '../../src-main/headless/flag-consent.ts';
import { startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { watchEventLoop } from './event-loop-watch.ts';
import { comparison, figure } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';

const PAGE_CHARACTERS = 1_990_000;

/** As the user's `/web_fetch` runs it, against the `html-to-text` package as it comes, on the page's text. */
export const webFetch: Bench = {
  name: 'web_fetch',
  meaning: 'How long a large web page takes to become text, and how long that could hold up the window.',
  run: async ({ isQuick }) => {
    const page = largePage();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const assistant = await startAssistant({ consent: flagConsent('all') });

    const ours = async () => {
      let text = '';
      const watch = watchEventLoop();
      const wallMs = await elapsedMs(() =>
        assistant.turn({ kind: 'tool', name: 'web_fetch', input: JSON.stringify({ url }) }, (event) => {
          if (event.type === 'tool_result') text = event.text;
        }),
      );
      const { cpuMs } = watch.stop();
      if (!text.includes('Headline 0\n')) throw new Error(`The page was not fetched: ${text.slice(0, 200)}`);
      return { wallMs, cpuMs };
    };
    const packageAlone = async () => ({ wallMs: await elapsedMs(async () => convert(page)), cpuMs: 0 });

    try {
      const options = { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 15 };
      const samples = await interleaved({ ours, packageAlone }, options);
      return [
        comparison(
          { what: 'a page of 2 MB', unit: 'ms', ours: samples.ours.map(({ wallMs }) => wallMs) },
          { name: 'html-to-text', theirs: samples.packageAlone.map(({ wallMs }) => wallMs) },
          { ratioAtMost: 1.5 },
        ),
        figure({
          what: 'own computing of the main thread meanwhile, longest piece',
          unit: 'ms',
          ours: samples.ours.map(({ cpuMs }) => cpuMs),
        }),
      ];
    } finally {
      await assistant.stop();
      server.closeAllConnections();
      server.close();
    }
  },
};

function largePage(): string {
  const parts = ['<!DOCTYPE html><html><head><title>Large</title></head><body>'];
  let length = 0;
  for (let number = 0; length < PAGE_CHARACTERS; number++) {
    const part =
      `<div class="entry"><h2>Headline ${number}</h2><p>Some text with <a href="/entries/${number}">a link ${number}</a> ` +
      'and &amp; an entity, and more <b>words</b> to read here and there.</p><ul><li>one<li>two</ul>' +
      '<table><tr><td>1</td><td>2</td></tr></table></div>\n';
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
