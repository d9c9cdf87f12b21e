import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PressedKey } from '../../../src-main/desktop/pressed-key.ts';
import { TypedRecord } from '../../../src-main/desktop/typed-record.ts';

const NO_MODIFIER = { control: false, alt: false, meta: false, shift: false };

function press(record: TypedRecord, ...keys: readonly (string | PressedKey)[]): void {
  for (const key of keys) record.pressed(typeof key === 'string' ? { key, ...NO_MODIFIER } : key);
}

function type(record: TypedRecord, text: string): void {
  press(record, ...text);
}

function written(...texts: readonly string[]): TypedRecord {
  const record = new TypedRecord();
  for (const text of texts) {
    type(record, text);
    record.interrupt();
  }
  return record;
}

describe('a word is typed only if its letters were typed next to each other', () => {
  test('letters picked out of a longer typed text name no host', () => {
    const record = written('please leave all vital items, dear. I know this is odd');
    expect(record.originsOf('evil.io').typed.trim()).toBe('');
    expect(record.originsOf('vital items,').typed).toBe('vital items,');
  });

  test('a part of a longer word is not a word of the user', () => {
    const record = written('read https://evil.example.org/docs');
    expect(record.originsOf('https://evil.example').typed.trim()).toBe('');
    expect(record.originsOf('evil.example.org').typed.trim()).toBe('');
  });

  test('the beginning of a word is told from a part of it', () => {
    const record = written('Sales in autumn');
    expect(record.holdsBeginning('Sale')).toBe(true);
    expect(record.holdsBeginning('Sales aut')).toBe(true);
    // A page could spell any text in words of one letter.
    expect(record.holdsBeginning('aut Sales')).toBe(false);
    expect(record.holdsBeginning('S a')).toBe(false);
    expect(record.holdsBeginning('')).toBe(true);
    expect(record.holdsBeginning('ales')).toBe(false);
    expect(record.holdsBeginning('Sales,')).toBe(false);
    record.pasted('pasted.example');
    expect(record.holdsBeginning('pasted')).toBe(true);
  });

  test('words that were not typed are replaced by blanks, and the rest keeps its position', () => {
    const record = written('look at example.org please');
    expect(record.originsOf('look at evil.org\nplease').typed).toBe('look at         \nplease');
  });

  test('text corrected with the keyboard counts in its corrected form', () => {
    const record = new TypedRecord();
    type(record, 'gogle.com');
    press(record, ...Array<string>(7).fill('ArrowLeft'), 'o');
    expect(record.originsOf('google.com').typed).toBe('google.com');
    expect(record.originsOf('gogle.com').typed.trim()).toBe('');
    press(record, 'Delete', 'Backspace');
    expect(record.originsOf('gole.com').typed).toBe('gole.com');
  });

  test('after a click, a selection or an undo nothing is put together', () => {
    for (const jump of [
      (record: TypedRecord) => record.interrupt(),
      (record: TypedRecord) => press(record, 'Home'),
      (record: TypedRecord) => press(record, { key: 'a', ...NO_MODIFIER, control: true }),
      (record: TypedRecord) => press(record, { key: 'ArrowLeft', ...NO_MODIFIER, shift: true }),
      (record: TypedRecord) => press(record, 'Process'),
    ]) {
      const record = new TypedRecord();
      type(record, 'ev');
      jump(record);
      type(record, 'il.io');
      expect(record.originsOf('evil.io').typed.trim()).toBe('');
    }
  });

  test('any text that is typed without anything between is held whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab /{}".:\u00e9語'), maxLength: 60 }), (text) => {
        const record = written(text);
        expect(record.originsOf(text).typed).toBe(text);
        expect(record.holdsLines(text)).toBe(text.trim() !== '');
      }),
      { numRuns: 300 },
    );
  });
});

describe('pastes', () => {
  test('a pasted word is pasted, and so is one that was only finished by hand', () => {
    const record = new TypedRecord();
    type(record, 'see ');
    record.pasted('https://a.example/x https://b.example');
    type(record, '/more now');
    expect(record.originsOf('see https://a.example/x https://b.example/more now')).toEqual({
      typed: `see ${' '.repeat(42)} now`,
      pasted: '    https://a.example/x https://b.example/more    ',
    });
  });

  test('a paste whose text may come from the page counts as a paste of unknown text', () => {
    const record = new TypedRecord();
    record.pasted('');
    expect(record.isWritten).toBe(true);
    expect(record.originsOf('x').pasted.trim()).toBe('');
  });
});

describe('lines that call a tool', () => {
  test('a tool line counts as typed only from the beginning of a line to its end', () => {
    const record = written('what does /bash {"command": "rm -r x"} do');
    expect(record.holdsLines('/bash {"command": "rm -r x"}')).toBe(false);
    expect(written('/bash {"command": "ls"} ').holdsLines('/bash {"command": "ls"}')).toBe(true);
  });

  test('may be typed around a paste', () => {
    const record = new TypedRecord();
    type(record, '/bash {"command": "');
    record.pasted('npm test');
    type(record, '"}');
    expect(record.holdsLines('/bash {"command": "npm test"}')).toBe(true);
    expect(record.holdsLines('/bash {"command": "npm tests"}')).toBe(false);
  });

  test('may be chosen in the menu after a part of the name, with arguments that were typed after that', () => {
    const record = written('/read', '"path": "notes.md"');
    expect(record.holdsChosenTool('/read_file {"path": "notes.md"}')).toBe(true);
    expect(record.holdsChosenTool('/read_file {}')).toBe(true);
    expect(record.holdsChosenTool('/read_file {"path": "secret.md"}')).toBe(false);
    expect(record.holdsChosenTool('/write_file {"path": "notes.md"}')).toBe(false);
    expect(written('"path": "notes.md"', '/read').holdsChosenTool('/read_file {"path": "notes.md"}')).toBe(false);
    expect(written('read').holdsChosenTool('/read_file {}')).toBe(false);
  });

  test('of several lines are held as they follow each other', () => {
    const record = new TypedRecord();
    type(record, '/get_time {}');
    press(record, { key: 'Enter', ...NO_MODIFIER, shift: true });
    type(record, '/get_facts {}');
    expect(record.holdsLines('/get_time {}\n/get_facts {}')).toBe(true);
    expect(record.holdsLines('/get_facts {}\n/get_time {}')).toBe(false);
  });
});

describe('typed text counts for one message', () => {
  test('keys that make no text are not writing, those of an IME and AltGr are', () => {
    const makes = (...keys: readonly (string | PressedKey)[]) => {
      const record = new TypedRecord();
      press(record, ...keys);
      return record.isWritten;
    };
    expect(makes('Enter', 'Tab', 'Backspace', 'ArrowUp', 'F5', 'Escape', 'Shift')).toBe(false);
    expect(makes({ key: 'c', ...NO_MODIFIER, control: true }, { key: 's', ...NO_MODIFIER, meta: true })).toBe(false);
    expect(makes('a')).toBe(true);
    expect(makes('Process')).toBe(true);
    expect(makes('Dead')).toBe(true);
    expect(makes({ key: '@', ...NO_MODIFIER, control: true, alt: true })).toBe(true);
  });

  test('a message uses up its own words and leaves a draft that was written before', () => {
    const record = written('the draft of another conversation', 'hello there');
    record.messageSent('hello there');
    expect(record.isWritten).toBe(false);
    expect(record.holdsLines('hello there')).toBe(false);
    expect(record.holdsLines('the draft of another conversation')).toBe(true);
  });

  test('pastes without end are forgotten, the oldest first', () => {
    const record = new TypedRecord();
    for (let paste = 0; paste < 60; paste += 1) record.pasted(`${paste}\n${'x'.repeat(90_000)}`);
    expect(record.originsOf('0 59').pasted.trim()).toBe('59');
  });

  test('a paste that is attached moves no caret, forgets nothing, and counts as pasted where it may become text again', () => {
    const record = new TypedRecord();
    type(record, '/bash {"command": "');
    record.pasted(`see https://a.example\n${'x'.repeat(30_000)}`);
    type(record, 'ls"}');
    expect(record.holdsLines('/bash {"command": "ls"}')).toBe(true);
    expect(record.originsOf('https://a.example').pasted).toBe('https://a.example');
    expect(record.originsOf('https://a.example').typed.trim()).toBe('');
    record.pasted(`https://b.example ${'y'.repeat(5_000_000)}`);
    expect(record.holdsLines('/bash {"command": "ls"}')).toBe(true);
    expect(record.originsOf('https://b.example').pasted.trim()).toBe('');
  });
});
