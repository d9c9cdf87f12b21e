// @ts-check
// node mirror.mjs LIST LOG: a server that lists the tools of LIST (a JSON array, verbatim) and appends the text of each
// call's params to LOG. Nothing happens in it. Written without an SDK, so that nothing is added to what it lists, nor
// taken from what it receives.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [listFile = '', log = ''] = process.argv.slice(2);
const list = readFileSync(listFile, 'utf8');

/** @type {Record<string, (message: any, line: string) => string>} */
const METHODS = {
  initialize: ({ params }) =>
    JSON.stringify({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'mirror', version: '1.0.0' },
    }),
  ping: () => '{}',
  'tools/list': () => `{"tools":${list}}`,
  'tools/call': (_, line) => {
    appendFileSync(log, `${line}\n`);
    return '{"content":[{"type":"text","text":"recorded"}]}';
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return;
  const message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) return;
  const result = METHODS[message.method]?.(message, line);
  const answer = result === undefined ? '"error":{"code":-32601,"message":"Method not found"}' : `"result":${result}`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${answer}}\n`);
});
