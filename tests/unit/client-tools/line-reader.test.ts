import { expect, test } from 'vitest';
import {
  type LineFault,
  LineReader,
  MAX_LINE_BYTES,
  MAX_UNREAD_LINES,
} from '../../../src-main/client-tools/protocol/line-reader.ts';

function reading(onLine: (line: string) => void | Promise<void> = () => undefined) {
  const lines: string[] = [];
  const faults: LineFault[] = [];
  const full: boolean[] = [];
  const reader = new LineReader({
    onLine: (line) => {
      lines.push(line);
      return onLine(line);
    },
    onFault: (fault) => faults.push(fault),
    onFull: (isFull) => full.push(isFull),
  });
  return { reader, lines, faults, full, push: (text: string) => reader.push(Buffer.from(text)) };
}

test('lines are put together from any pieces, even of a character, and empty ones are left out', async () => {
  const bytes = Buffer.from('{"a":"grün"}\r\n\n{"b":"🦉"}\n{"c":1}');
  for (let size = 1; size <= bytes.length; size++) {
    const { reader, lines, faults } = reading();
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    await reader.end();
    expect({ size, lines, faults }).toEqual({ size, lines: ['{"a":"grün"}', '{"b":"🦉"}', '{"c":1}'], faults: [] });
  }
});

test('a line is processed when the one before it is done', async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { reader, push } = reading(async (line) => {
    order.push(`begins ${line}`);
    if (line === '1') await first;
    order.push(`ends ${line}`);
  });
  push('1\n2\n');
  push('3\n');
  expect(order).toEqual(['begins 1']);
  release();
  await reader.end();
  expect(order).toEqual(['begins 1', 'ends 1', 'begins 2', 'ends 2', 'begins 3', 'ends 3']);
});

test('a line of 8 MB is read; one byte more ends it, whether or not the line ends', async () => {
  const exact = reading();
  exact.push(`${'x'.repeat(MAX_LINE_BYTES)}\n`);
  await exact.reader.end();
  expect(exact.lines.map(({ length }) => length)).toEqual([MAX_LINE_BYTES]);

  for (const ending of ['\n', '']) {
    const { faults, lines, push } = reading();
    push('x'.repeat(MAX_LINE_BYTES));
    expect(faults).toEqual([]);
    push(`x${ending}`);
    push('{"later":true}\n');
    expect({ faults, lines }).toEqual({ faults: ['line_too_long'], lines: [] });
  }
});

test('more than 1,000 lines that wait end it, and none of them is processed', async () => {
  const { reader, lines, faults, push } = reading(() => new Promise(() => undefined));
  push('first\n');
  push('x\n'.repeat(MAX_UNREAD_LINES));
  expect(faults).toEqual([]);
  push('x\n');
  expect({ faults, lines }).toEqual({ faults: ['too_many_lines'], lines: ['first'] });
  reader.close();
});

test('a fault of the stream is reported once', () => {
  const { faults, push } = reading();
  push('x\n'.repeat(10 * MAX_UNREAD_LINES));
  push('x'.repeat(2 * MAX_LINE_BYTES));
  expect(faults).toEqual(['too_many_lines']);
});

test('slow lines leave half of the time to everything else', async () => {
  const work = () => {
    for (const end = performance.now() + 15; performance.now() < end; );
  };
  const { reader, lines, push } = reading(work);
  let done = 0;
  const timer = setInterval(() => {
    done = lines.length;
  }, 1);
  push('x\n'.repeat(10));
  await reader.end();
  clearInterval(timer);
  expect(done).toBeGreaterThan(5);
});

test('reading pauses while 16 MB of input wait', async () => {
  let release: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { reader, full, push } = reading(() => first);
  push('x\n');
  const line = `${'x'.repeat(MAX_LINE_BYTES)}\n`;
  push(line);
  push(line);
  expect(full).toEqual([]);
  push('x\n');
  expect(full).toEqual([true]);
  release();
  await reader.end();
  expect(full).toEqual([true, false]);
});
