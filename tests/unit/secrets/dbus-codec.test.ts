import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeCall, Field } from '../../../src-main/secrets/dbus-codec.ts';
import { sessionBusSocket } from '../../../src-main/secrets/session-bus.ts';

const text = fc.string({ maxLength: 40 }).map((value) => value.replaceAll('\0', ''));

test('messages can be read back, whatever their alignment', () => {
  fc.assert(
    fc.property(text, fc.array(fc.tuple(text, text)), fc.array(text), fc.boolean(), (word, pairs, list, flag) => {
      const fields = new Map([
        [Field.path, `/${word}`],
        [Field.member, 'Ask'],
        [Field.signature, 'sa{ss}aobu(sa(sb))'],
      ]);
      const body = [word, pairs, list, flag, 7, [word, [[word, flag]]]];
      const bytes = encodeCall(42, fields, body);
      const decoded = decodeMessage(Buffer.concat([bytes, Buffer.from('l')]));
      expect(decoded?.length).toBe(bytes.length);
      expect(decoded?.message).toEqual({ type: 1, serial: 42, fields: new Map<number, unknown>(fields), body });
      for (const cut of [0, 15, bytes.length - 1]) expect(decodeMessage(bytes.subarray(0, cut))).toBeUndefined();
    }),
  );
});

test('a call is laid out as the specification says', () => {
  const bytes = encodeCall(
    1,
    new Map([
      [Field.path, '/a'],
      [Field.member, 'Hi'],
      [Field.signature, 's'],
    ]),
    ['x'],
  );
  expect(bytes.toString('hex')).toBe(
    [
      '6c010001',
      '06000000',
      '01000000',
      '27000000',
      '01016f00',
      '020000002f610000',
      '00000000',
      '03017300',
      '0200000048690000',
      '00000000',
      '08016700',
      '01730000',
      '010000007800',
    ].join(''),
  );
});

test('the bus is looked for where the native module looks', () => {
  expect(sessionBusSocket({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus,guid=ab' })).toBe('/run/user/1/bus');
  expect(sessionBusSocket({ DBUS_SESSION_BUS_ADDRESS: 'tcp:host=x;unix:guid=ab,abstract=/tmp/a%20b' })).toBe(
    '\0/tmp/a b',
  );
  expect(sessionBusSocket({ DBUS_SESSION_BUS_ADDRESS: 'autolaunch:' })).toBeUndefined();
  expect(sessionBusSocket({ XDG_RUNTIME_DIR: '/nonexistent' })).toBeUndefined();
  expect(sessionBusSocket({})).toBeUndefined();
});
