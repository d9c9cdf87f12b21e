import { expect, test } from 'vitest';
import { ServerLog } from '../../../src-main/mcp/status/server-log.ts';
import { serverRedaction } from '../../../src-main/mcp/status/server-redaction.ts';
import { ProcessOutput } from '../../../src-main/mcp/transport/process-output.ts';
import { redactedStart } from '../../../src-main/secrets/redaction.ts';

const SECRET = `swordfish-${'0123456789'.repeat(8)}`;
const asItIs = (text: string) => text;
const redact = serverRedaction(
  () => ({ args: [], env: {}, headers: {} }),
  () => [SECRET],
);

/** What is kept of one line, in the log and to explain the end. */
function kept(line: string, how: (text: string) => string): string {
  const log = new ServerLog({ redact: how });
  const output = new ProcessOutput({ log: (entry) => log.add(entry), redact: how });
  const bytes = Buffer.from(`${line}\n`);
  for (let start = 0; start < bytes.length; start += 4_096) output.addStderr(bytes.subarray(start, start + 4_096));
  output.end();
  return [...log.entries.map(({ text }) => text), output.now.lines].join('\n');
}

test.each([1_000, 1_024, 16 * 1024])('no part of a secret at character %i of an overlong line is kept', (cut) => {
  for (const before of [5, 20, 60]) {
    const line = `${'x'.repeat(cut - before)}${SECRET}${'y'.repeat(20_000)}`;
    expect(kept(line, redact)).not.toContain(SECRET.slice(0, 5));
    expect(kept(line, redact)).toMatch(/^x{900}/);
  }
});

test('no part of a secret is kept if redaction shortened everything before it', () => {
  const line = `${SECRET.repeat(182)}${'z'.repeat(40)}${SECRET}${'y'.repeat(20_000)}`;
  expect(kept(line, redact)).not.toContain(SECRET.slice(0, 5));
});

test('the control: cut first and redacted afterwards, half of the secret is left', () => {
  const line = `${'x'.repeat(990)}${SECRET}`;
  expect(redact(line.slice(0, 1_024))).toContain(SECRET.slice(0, 30));
  expect(kept(`${line}${'y'.repeat(20_000)}`, asItIs)).toContain(SECRET.slice(0, 10));
});

test('the start of a text is whole if it fits, and says that there is more', () => {
  expect(redactedStart('short', { redact, length: 10 })).toBe('short');
  expect(redactedStart(SECRET, { redact, length: 10 })).toBe('[redacted]');
  expect(redactedStart('a longer text', { redact, length: 8 })).toBe('a longer…');
  expect(redactedStart('short', { redact, length: 10, isCut: true })).toBe('…');
});

test('the reason for the end is found in the last lines of both streams', () => {
  const output = new ProcessOutput({ log: () => undefined, redact: asItIs });
  expect(output.now).toEqual({ telling: '', lines: '' });
  output.addStderr(Buffer.from('Error: long ago\n'));
  for (let line = 0; line < 200; line++) output.addStderr(Buffer.from(`line ${line}\n`));
  expect(output.now.telling).toBe('line 199');
  output.addStray('Error: KEY is required');
  output.addStderr(Buffer.from('bye'));
  output.end();
  expect(output.now.telling).toBe('Error: KEY is required');
  expect(output.now.lines.split('\n')).toHaveLength(200);
});
