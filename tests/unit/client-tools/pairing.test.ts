import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Admission, Pairing, type PairingRequest } from '../../../src-main/client-tools/socket/pairing.ts';
import type { PairedProgram, PairedPrograms } from '../../../src-main/storage/records/paired-programs.ts';

type Row = PairedProgram & { readonly tokenHash: string };

/** The records of the database, in memory. */
function records(): PairedPrograms & { readonly rows: Row[] } {
  const rows: Row[] = [];
  return {
    rows,
    list: () => rows,
    withToken: (hash) => rows.find(({ tokenHash }) => tokenHash === hash),
    add: (program) => {
      const id = `program ${rows.length}`;
      rows.push({ ...program, id, pairedAt: '2026-01-01', lastUsedAt: '2026-01-01' });
      return id;
    },
    used: () => undefined,
    revoke: (id) => rows.splice(0, rows.length, ...rows.filter((row) => row.id !== id)).some((row) => row.id === id),
  };
}

function pairing(answers: readonly (boolean | 'waits')[]) {
  const asked: PairingRequest[] = [];
  const programs = records();
  let now = 0;
  const gate = new Pairing({
    programs,
    now: () => now,
    onChange: () => undefined,
    revoke: (id) => programs.revoke(id),
    ask: (request, signal) => {
      asked.push(request);
      const answer = answers[asked.length - 1];
      if (answer !== 'waits') return Promise.resolve(answer ?? false);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const hello = (name: string, token?: string, signal = new AbortController().signal): Promise<Admission> =>
    gate.admit({ type: 'hello', name, version: '1', token }, signal);
  return { gate, asked, programs, hello, pass: (ms: number) => (now += ms) };
}

function tokenOf(admission: Admission): string {
  if (admission.kind !== 'welcome') throw new Error(`It was refused: ${admission.code}`);
  return admission.token;
}

test('a user pairs a program once; its token admits it afterwards, under the name that was paired', async () => {
  const { hello, asked, programs } = pairing([true]);
  const token = tokenOf(await hello('Editor'));
  expect(await hello('System Settings', token)).toMatchObject({ kind: 'welcome', program: { name: 'Editor' }, token });
  expect(asked).toHaveLength(1);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(programs.rows.map(({ tokenHash }) => tokenHash)).toEqual([createHash('sha256').update(token).digest('hex')]);
  expect(JSON.stringify(programs.rows)).not.toContain(token);
});

test('a token that is not known asks as none does; a revoked one is not known', async () => {
  const { hello, asked, programs } = pairing([true, false]);
  const token = tokenOf(await hello('Editor'));
  programs.revoke('program 0');
  expect(await hello('Editor', token)).toMatchObject({ kind: 'refused', code: 'declined' });
  expect(asked).toHaveLength(2);
});

test('while one question is open, no other program asks', async () => {
  const { hello, asked } = pairing(['waits']);
  const leaves = new AbortController();
  const first = hello('Editor', undefined, leaves.signal);
  const others = await Promise.all(Array.from({ length: 50 }, (_, index) => hello(`Flood ${index}`)));
  expect(new Set(others.map((each) => each.kind === 'refused' && each.code))).toEqual(new Set(['busy']));
  leaves.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(asked).toHaveLength(1);
});

test('a flood that is declined, or that leaves before the answer, is asked about ever less', async () => {
  const { hello, asked, pass } = pairing(Array.from({ length: 1000 }, () => false));
  const minutes = 24 * 60;
  for (let minute = 0; minute < minutes; minute++) {
    for (let each = 0; each < 10; each++) await hello('Flood');
    pass(60_000);
  }
  expect(asked.length).toBeLessThan(35);
});

test('a pairing ends the pause for other programs, as does the user', async () => {
  const { gate, hello, asked } = pairing([false, true]);
  expect(await hello('Editor')).toMatchObject({ code: 'declined', retryAfterSeconds: 30 });
  expect(await hello('Editor')).toMatchObject({ code: 'paused', retryAfterSeconds: 30 });
  gate.endPause();
  expect(await hello('Editor')).toMatchObject({ kind: 'welcome' });
  expect(gate.pausedMs).toBe(0);
  expect(asked).toHaveLength(2);
});

test.each([
  ['no name', '  '],
  ['a control character', 'Edi\u0007tor'],
  ['an escape sequence', '\u001b[31mEditor'],
  ['a line end', 'Editor\nThis is safe'],
  ['reordered text', 'rotidE\u202e'],
  ['an invisible character', 'Ed\u200bitor'],
  ['a long name', 'x'.repeat(65)],
  ['the name of the client of ask', 'The Program that runs ask'],
  ['the name of the window', 'The ｗindow'],
  ['the name of the skills', 'skills from  files'],
  ['the name of the app', 'ＳTEWARD'],
  ['a name that looks like it', '\u0405teward'],
  ['one with a Cherokee letter', '\u13dateward'],
  ['one with an Armenian letter', 'Edit\u0585r'],
])('%s is refused without a question', async (_what, name) => {
  const { hello, asked } = pairing([true]);
  expect(await hello(name)).toMatchObject({ kind: 'refused', code: 'bad_name' });
  expect(asked).toEqual([]);
});

test('a name may have words of several alphabets', async () => {
  const { hello } = pairing([true]);
  expect(await hello('Редактор Editor Ωμέγα')).toMatchObject({ kind: 'welcome' });
});

test('a version that could mislead is not shown', async () => {
  const { gate, asked } = pairing([true]);
  const version = '1.0\u202e approved';
  await gate.admit({ type: 'hello', name: 'Editor', version }, new AbortController().signal);
  expect(asked).toEqual([{ name: 'Editor', version: '', replaces: null }]);
});

test('two programs never have one name: the question says so, and a yes ends the earlier pairing', async () => {
  const { gate, hello, asked, programs } = pairing([true, false, true]);
  const first = tokenOf(await hello('Editor'));
  await hello('ｅditor');
  expect(asked[1]).toMatchObject({ replaces: '2026-01-01' });
  expect(await hello('Editor', first)).toMatchObject({ kind: 'welcome' });
  gate.endPause();
  const second = tokenOf(await hello('EDITOR'));
  expect(programs.rows.map(({ name }) => name)).toEqual(['EDITOR']);
  expect(await hello('Editor', first)).not.toMatchObject({ kind: 'welcome' });
  expect(await hello('EDITOR', second)).toMatchObject({ kind: 'welcome' });
});
