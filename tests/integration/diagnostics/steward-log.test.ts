import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorFacts } from '../../../src-main/base/log.ts';
import { StewardLog } from '../../../src-main/diagnostics/steward-log.ts';

function opened() {
  const log = new StewardLog({
    profileDirectory: mkdtempSync(join(tmpdir(), 'steward-log-')),
    now: () => new Date('2026-11-24T21:00:00Z'),
  });
  const text = () => {
    log.flush();
    return readFileSync(log.path, 'utf8');
  };
  return { log, text };
}

test('one line an event: time, level, room, code, facts', () => {
  const { log, text } = opened();
  log.write({
    level: 'info',
    room: 'desktop',
    code: 'session_started',
    facts: { version: '1.2.3', pid: 7, none: undefined },
  });
  log.write({ level: 'error', room: 'ipc', code: 'fault', facts: { where: 'a program\nforged line', x: 'a b' } });
  expect(text()).toBe(
    '2026-11-24T21:00:00.000Z info desktop session_started version=1.2.3 pid=7\n' +
      '2026-11-24T21:00:00.000Z error ipc fault where="a program\\nforged line" x="a b"\n',
  );
});

test('secrets are replaced, those that look like one and those that are known', () => {
  const { log, text } = opened();
  log.redactAlso(() => ['hunter2hunter2']);
  log.write({
    level: 'error',
    room: 'ipc',
    code: 'fault',
    facts: { where: 'hunter2hunter2', key: 'sk-ant-api03-0123456789abcdef' },
  });
  expect(text()).not.toMatch(/hunter2|sk-ant-api03/);
});

test('an error is logged with its kind, code and place, without its message', () => {
  const { log, text } = opened();
  const said = 'the secret plan of Ada\n    at plan (of the mail)';
  for (const error of [
    Object.assign(new Error(said), { code: 'EACCES' }),
    said,
    { message: said },
    null,
    parseError(said),
  ])
    log.write({ level: 'error', room: 'ipc', code: 'fault', facts: errorFacts(error) });
  const written = text();
  expect(written).toContain('error=Error code=EACCES at=');
  expect(written).toContain('steward-log.test.ts');
  expect(written).not.toMatch(/secret plan|of the mail/);
});

/** The message of this error quotes what could not be read. */
function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
