import { expect, test } from 'vitest';
import { eventStream } from '../../../src-main/mcp/transport/event-stream.ts';
import { ServerPace } from '../../../src-main/mcp/transport/server-pace.ts';

async function passedOn(text: string) {
  async function* body() {
    yield Buffer.from(text);
  }
  const skipped: string[] = [];
  const stream = eventStream(body(), { pace: new ServerPace(), skipped: (what) => skipped.push(what) });
  return { events: await new Response(stream).text(), skipped };
}

test('the first event is passed on, also after a byte order mark', async () => {
  const { events } = await passedOn('\uFEFFdata: a\n\ndata: b\n\n');
  expect(events).toBe('data: a\n\ndata: b\n\n');
});

test('only a number of milliseconds is a time until the next try', async () => {
  for (const retry of ['', '-1', '1e3', '0x10', ' 5'])
    expect((await passedOn(`retry: ${retry}\ndata: a\n\n`)).events).toBe('data: a\n\n');
  expect((await passedOn('retry: 5\ndata: a\n\n')).events).toBe('retry: 5\ndata: a\n\n');
  expect((await passedOn(`retry: ${'9'.repeat(400)}\n\n`)).events).toBe('retry: 3600000\n\n');
});

test('an id that no header can have is left out, not the event', async () => {
  for (const id of ['測', 'ä', 'a\u0000b', 'a\tb'])
    expect(await passedOn(`id: ${id}\ndata: a\n\n`)).toEqual({
      events: 'data: a\n\n',
      skipped: [`an event id of ${id.length} characters that cannot be sent back`],
    });
  expect((await passedOn('id: a-1\ndata: a\n\nid\ndata: b\n\n')).events).toBe('id: a-1\ndata: a\n\nid\ndata: b\n\n');
});
