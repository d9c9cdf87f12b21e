import { expect, test } from 'vitest';
import { NameAddresses, plainHost } from '../../../src-main/sandbox/gate/addresses.ts';
import { answerTo } from '../../../src-main/sandbox/gate/name-server.ts';

const NAME_A = 1;
const NAME_AAAA = 28;
const MX = 15;

function question(labels: readonly string[], type: number): Buffer {
  const head = Buffer.from([0x12, 0x34, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0]);
  const name = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]));
  return Buffer.concat([head, ...name, Buffer.from([0, 0, type, 0, 1])]);
}

/** The code, how many answers there are, and the last bytes as an IPv4 address. */
function told(answer: Buffer | undefined) {
  if (answer === undefined) return undefined;
  return [answer.readUInt16BE(2) & 0xf, answer.readUInt16BE(6), [...answer.subarray(-4)].join('.')];
}

test('a name has one address, which leads back to it', () => {
  const names = new NameAddresses();
  const ask = (name: string, type = NAME_A) => told(answerTo(question(name.split('.'), type), names, true));
  expect(ask('a.example')).toEqual([0, 1, '198.18.1.0']);
  expect(ask('B.Example')).toEqual([0, 1, '198.18.1.1']);
  expect(ask('A.EXAMPLE')).toEqual([0, 1, '198.18.1.0']);
  expect(ask('a.localhost')).toEqual([0, 1, '127.0.0.1']);
  expect(ask('a.example', MX)?.slice(0, 2)).toEqual([0, 0]);
  expect(ask('a.example', NAME_AAAA)).toEqual([0, 1, '0.0.1.0']);
  expect(told(answerTo(question(['a', 'example'], NAME_AAAA), names, false))?.slice(0, 2)).toEqual([0, 0]);
  for (const address of ['198.18.1.1', '[fd53:7465:7761:7264::101]', '::ffff:198.18.1.1', 'b.EXAMPLE.'])
    expect(names.meantBy(address)).toBe('b.example');
  for (const address of ['198.18.1.2', '198.19.1.0', 'fd53:7465:7761:7264::102', 'fd53:7465:7761:7264:1::101'])
    expect(names.meantBy(address)).toBe(undefined);
});

test('names have an end', () => {
  const names = new NameAddresses();
  const ask = (name: string) => told(answerTo(question([name, 'example'], NAME_A), names, true));
  for (let each = 0; each < 10_000; each++) ask(`n${each}`);
  expect(ask('n9999')).toEqual([0, 1, '198.18.40.15']);
  expect(names.meantBy('198.18.40.15')).toBe('n9999.example');
  expect(ask('another')?.slice(0, 2)).toEqual([2, 0]);
});

test.each([
  ['a name with a dot in a label', question(['a.b', 'example'], NAME_A), 3],
  ['a name with NUL', question(['a\0', 'example'], NAME_A), 3],
  ['a name with a space', question(['a b'], NAME_A), 3],
  ['a name that is an address', question(['0x7f', '1'], NAME_A), 3],
  ['an IP address asked for as a name', question(['127', '0', '0', '1'], NAME_A), 3],
  ['the root', question([], NAME_A), 3],
  [
    'a name that is too long',
    question(
      Array.from({ length: 5 }, () => 'a'.repeat(60)),
      NAME_A,
    ),
    3,
  ],
  ['a pointer', Buffer.concat([question(['a'], NAME_A).subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]), 1],
  ['half a question', question(['a', 'example'], NAME_A).subarray(0, -3), 1],
])('%s gets no address', (_, message, code) => {
  expect(told(answerTo(message, new NameAddresses(), true))?.slice(0, 2)).toEqual([code, 0]);
});

test('what is no question gets no answer', () => {
  const answer = question(['a'], NAME_A);
  answer[2] = 0x80;
  for (const message of [answer, Buffer.alloc(0), Buffer.alloc(11)])
    expect(answerTo(message, new NameAddresses(), true)).toBe(undefined);
});

test('loopback is never meant, in any spelling', () => {
  const names = new NameAddresses();
  for (const host of [
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '::1',
    '[::]',
    '::ffff:7f00:1',
    'localhost',
    'a.LocalHost.',
  ])
    expect(names.meantBy(host)).toBe(undefined);
  for (const host of [
    '0x7f.1',
    '2130706433',
    '127.1',
    '010.0.0.1',
    '1.2.3.4.',
    'fe80::1%eth0',
    '',
    '.',
    'a..b',
    '-a.example',
  ])
    expect(plainHost(host)).toBe(host === '1.2.3.4.' ? '1.2.3.4' : undefined);
  expect(names.meantBy('10.0.0.1')).toBe('10.0.0.1');
  expect(names.meantBy('[2001:DB8::0:1]')).toBe('2001:db8::1');
});

test('an address that was asked for as a name leads to nothing', () => {
  const names = new NameAddresses();
  answerTo(question(['127', '0', '0', '1'], NAME_A), names, true);
  expect(names.meantBy('198.18.1.0')).toBe(undefined);
});
