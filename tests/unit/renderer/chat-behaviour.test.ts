import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { groupByDate } from '../../../src-renderer/app/date-groups.ts';
import { matchPieces } from '../../../src-renderer/app/match-pieces.ts';
import { shortcutOf } from '../../../src-renderer/app/shortcuts.ts';
import { attachmentFrom } from '../../../src-renderer/chat/composer/attachments.ts';
import { Composer } from '../../../src-renderer/chat/composer/composer.svelte.ts';
import { DraftHistory } from '../../../src-renderer/chat/composer/draft-history.ts';
import { Drafts } from '../../../src-renderer/chat/composer/drafts.ts';
import { givenLine } from '../../../src-renderer/chat/composer/given-line.ts';
import { callCommand, slashEntries, toolLine, windowCommand } from '../../../src-renderer/chat/composer/slash-menu.ts';
import { FollowLatest } from '../../../src-renderer/chat/thread/follow-latest.svelte.ts';
import { TurnWindow } from '../../../src-renderer/chat/thread/turn-window.svelte.ts';
import { durationText } from '../../../src-renderer/tool-cards/call-summary.ts';

class Memory {
  readonly #items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }
}

describe('following the newest text', () => {
  test('continues while text arrives faster than the page scrolls', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 500, distanceFromEnd: 0 });
    follow.scrolled({ top: 520, distanceFromEnd: 300 });
    expect(follow.shouldStick).toBe(true);
  });

  test('continues if the view grows at the end and text comes before that is seen', () => {
    const follow = new FollowLatest();
    follow.stuck({ top: 900 });
    follow.scrolled({ top: 800, distanceFromEnd: 220, hasGrown: true });
    expect(follow.shouldStick).toBe(true);
    follow.scrolled({ top: 700, distanceFromEnd: 320, hasGrown: false });
    expect(follow.shouldStick).toBe(false);
  });

  test('ends when the reader goes back, however little, and tells of what they miss', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 500, distanceFromEnd: 0 });
    follow.readerTurnedBack({ top: 500, distanceFromEnd: 0 });
    expect(follow.shouldStick).toBe(false);
    expect(follow.hasUnseen).toBe(false);
    follow.contentArrived();
    expect(follow.hasUnseen).toBe(true);
    follow.scrolled({ top: 900, distanceFromEnd: 10 });
    expect([follow.following, follow.hasUnseen]).toEqual([true, false]);
  });

  test('continues if calls are folded and the end moves up', () => {
    const follow = new FollowLatest();
    follow.stuck({ top: 900 });
    follow.stuck({ top: 300 });
    follow.scrolled({ top: 300, distanceFromEnd: 200 });
    expect(follow.shouldStick).toBe(true);
    follow.scrolled({ top: 250, distanceFromEnd: 250 });
    expect(follow.shouldStick).toBe(false);
  });

  test('begins again when the layout brings the end into view, and there is nothing unseen left', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 100, distanceFromEnd: 0 });
    follow.scrolled({ top: 0, distanceFromEnd: 100 });
    follow.contentArrived();
    follow.laidOut({ distanceFromEnd: 180 });
    expect([follow.following, follow.hasUnseen]).toEqual([false, true]);
    follow.laidOut({ distanceFromEnd: 0 });
    expect([follow.following, follow.hasUnseen]).toEqual([true, false]);
  });

  test('does not begin again because the reader turns back just after it followed', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 100, distanceFromEnd: 58 });
    follow.stuck({ top: 158 });
    follow.readerTurnedBack({ top: 158, distanceFromEnd: 0 });
    follow.laidOut({ distanceFromEnd: 0 });
    expect(follow.following).toBe(false);
  });

  test('does not begin again because text arrives just when the reader turns back', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 500, distanceFromEnd: 0 });
    follow.readerTurnedBack({ top: 500, distanceFromEnd: 0 });
    follow.laidOut({ distanceFromEnd: 20 });
    expect(follow.following).toBe(false);
  });

  test('does not end by a wheel in a page that is too short to scroll', () => {
    const follow = new FollowLatest();
    follow.readerTurnedBack({ top: 0, distanceFromEnd: 0 });
    expect(follow.following).toBe(true);
  });

  test('does not move the page under an opened card, and continues if the end is still in view', () => {
    const follow = new FollowLatest();
    follow.scrolled({ top: 500, distanceFromEnd: 0 });
    follow.readerOpened();
    expect(follow.shouldStick).toBe(false);
    follow.scrolled({ top: 500, distanceFromEnd: 400 });
    expect(follow.shouldStick).toBe(false);
    follow.scrolled({ top: 500, distanceFromEnd: 0 });
    expect(follow.shouldStick).toBe(true);
  });

  test('waits while text is being selected', () => {
    const follow = new FollowLatest();
    follow.readerHolds(true);
    expect(follow.shouldStick).toBe(false);
    follow.readerHolds(false);
    expect(follow.shouldStick).toBe(true);
  });

  test('begins again with a message of one’s own', () => {
    const follow = new FollowLatest();
    follow.jumpedElsewhere();
    follow.messageSent();
    expect(follow.shouldStick).toBe(true);
  });
});

describe('the part of a long conversation that is in the page', () => {
  const turns = Array.from({ length: 1000 }, (_, index) => index);

  test('is the end of it, and grows to the beginning', () => {
    const window = new TurnWindow();
    window.showLatest(1000);
    expect(window.slice(turns).at(-1)).toBe(999);
    expect(window.slice(turns).length).toBeLessThan(50);
    for (let step = 0; step < 100; step += 1) window.earlier();
    expect(window.slice(turns)).toEqual(turns);
    window.letGoOfEarlier(1000);
    expect(window.slice(turns).length).toBeLessThan(50);
  });

  test('holds the place that was searched for, and reaches the end from there', () => {
    fc.assert(
      fc.property(fc.nat(999), (index) => {
        const window = new TurnWindow();
        window.showAround(index, 1000);
        expect(window.slice(turns)).toContain(index);
        for (let step = 0; window.end !== null && step < 100; step += 1) window.later(1000);
        expect(window.slice(turns).at(-1)).toBe(999);
      }),
    );
  });
});

describe('the arrow up', () => {
  const history = () => new DraftHistory(() => ['one', 'two', 'three']);

  test('brings back what was sent, and down goes back to nothing', () => {
    const h = history();
    expect([h.older(''), h.older('three'), h.older('two'), h.older('one')]).toEqual(['three', 'two', 'one', 'one']);
    expect([h.newer('one'), h.newer('two'), h.newer('three')]).toEqual(['two', 'three', '']);
    expect(h.newer('')).toBeNull();
  });

  test('moves the caret where something was typed or changed', () => {
    const h = history();
    expect(h.older('a')).toBeNull();
    expect(h.older('')).toBe('three');
    expect(h.older('three!')).toBeNull();
    expect(h.newer('three!')).toBeNull();
  });

  test('does nothing where nothing was sent', () => {
    expect(new DraftHistory(() => []).older('')).toBeNull();
  });
});

describe('the composer', () => {
  function composer(overrides: Partial<ConstructorParameters<typeof Composer>[0]> = {}) {
    const refusals: string[] = [];
    const memory = new Memory();
    const ports = {
      drafts: new Drafts(memory),
      sentTexts: () => [],
      send: async () => 'a',
      refused: (message: string) => refusals.push(message),
      model: () => undefined,
    };
    return { composer: new Composer({ ...ports, ...overrides }), refusals, memory };
  }

  test('keeps a draft for each conversation, also when the page is loaded again', () => {
    const { composer: it, memory } = composer();
    it.typed('new one');
    it.switchedTo('a');
    expect(it.text).toBe('');
    it.typed('for a');
    it.switchedTo(null);
    expect(it.text).toBe('new one');
    const again = new Drafts(memory);
    expect([again.get(null).text, again.get('a').text]).toEqual(['new one', 'for a']);
  });

  test('is not troubled by what lies in the storage', () => {
    const memory = new Memory();
    memory.setItem('steward.drafts', '{"not": "ours"');
    expect(new Drafts(memory).get(null).text).toBe('');
    memory.setItem('steward.drafts', '[["a", "b"], 3, ["c"]]');
    expect(new Drafts(memory).get('a').text).toBe('b');
  });

  test('keeps the text when it could not be sent', async () => {
    const { composer: it } = composer({ send: async () => null });
    it.typed('hello');
    expect(await it.send()).toBe(false);
    expect(it.text).toBe('hello');
  });

  test('sends once, and is empty then', async () => {
    const sent: string[] = [];
    const { composer: it } = composer({
      send: async (text) => {
        sent.push(text);
        return 'a';
      },
    });
    it.typed('hello');
    await Promise.all([it.send(), it.send()]);
    expect(sent).toEqual(['hello']);
    expect(it.isEmpty).toBe(true);
  });

  test.each([
    ['a new conversation', null],
    ['a conversation that is there', 'a'],
  ])('what is written while a message is on its way to %s is the next one', async (_what, from) => {
    let answer: (id: string | null) => void = () => undefined;
    const { composer: it, memory } = composer({
      send: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    it.switchedTo(from);
    it.typed('first');
    const sending = it.send();
    expect(it.text).toBe('');
    it.typed('sec');
    // The page could end here: then both are there again.
    expect(new Drafts(memory).get(from).text).toBe('first\n\nsec');
    it.switchedTo('a');
    answer('a');
    expect(await sending).toBe(true);
    expect([it.text, new Drafts(memory).get('a').text, new Drafts(memory).get(null).text]).toEqual(['sec', 'sec', '']);
  });

  test('a message that was not taken comes back before what was written meanwhile', async () => {
    let answer: (id: string | null) => void = () => undefined;
    const { composer: it } = composer({
      send: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    it.typed('first');
    const sending = it.send();
    it.typed('second');
    answer(null);
    expect(await sending).toBe(false);
    expect(it.text).toBe('first\n\nsecond');
  });

  test('says why a file cannot be attached, and takes the others', async () => {
    const { composer: it, refusals } = composer();
    await it.attach([new File([new Uint8Array([0, 255])], 'x.bin'), new File(['hi'], 'a.md')]);
    expect(it.attachments.map(({ attachment }) => attachment.name)).toEqual(['a.md']);
    expect(refusals).toEqual([expect.stringContaining('x.bin can’t be attached')]);
    await it.attach(Array.from({ length: 25 }, (_, index) => new File(['x'], `${index}.txt`)));
    expect(it.attachments).toHaveLength(20);
    expect(refusals.at(-1)).toContain('up to 20 attachments');
  });

  test('takes as much that goes to the model as it is as a request can hold, and any more text', async () => {
    const { composer: it, refusals } = composer();
    const pdf = (name: string, bytes: number) => new File([PDF_BYTES, new Uint8Array(bytes)], name);
    await it.attach([pdf('a.pdf', 12_000_000), pdf('b.pdf', 9_000_000), new File(['x'.repeat(9_000_000)], 'c.txt')]);
    expect(it.attachments.map(({ attachment }) => attachment.name)).toEqual(['a.pdf', 'c.txt']);
    expect(refusals).toEqual([expect.stringContaining('no room for b.pdf')]);
  });
});

const CLAUDE = {
  specification: 'm',
  label: 'Claude',
  note: null,
  isChosen: true,
  sentTo: 'Anthropic',
  attachedRoom: 1_000,
  abilities: ['tools', 'images', 'documents'],
} as const;
const DEAF = { ...CLAUDE, label: 'Qwen', abilities: ['tools'] } as const;
const PDF_BYTES = '%PDF-1.7\n';
/** A frame of MPEG-1, layer III. */
const MP3_BYTES = new Uint8Array([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0, 0, 0, 0, 0]);

describe('a long paste', () => {
  const LONG = 'x'.repeat(20_001);

  function composer() {
    const refusals: string[] = [];
    const drafts = new Drafts(new Memory());
    const ports = { drafts, sentTexts: () => [], send: async () => 'a', model: () => undefined };
    const it = new Composer({ ...ports, refused: (message) => refusals.push(message) });
    it.typed('what is this?');
    return { it, refusals };
  }

  test('is attached, one of 20,000 characters is not', () => {
    const { it } = composer();
    expect([it.pasted(LONG.slice(1)), it.pasted(LONG), it.pasted('y'.repeat(5_000_000))]).toEqual([false, true, true]);
    expect(it.text).toBe('what is this?');
    expect(it.attachments).toMatchObject([
      { attachment: { kind: 'text', name: 'Pasted text', text: LONG }, bytes: 20_001, isPasted: true },
      { attachment: { name: 'Pasted text 2' }, bytes: 5_000_000 },
    ]);
  });

  test('of more than 20 MB is refused, and nothing of the draft is lost', () => {
    const { it, refusals } = composer();
    it.pasted(LONG);
    // Two bytes each.
    expect(it.pasted('ü'.repeat(10_000_001))).toBe(true);
    expect(refusals).toHaveLength(1);
    expect([it.text, it.attachments.length]).toEqual(['what is this?', 1]);
  });

  test('goes back into the message behind what is written', () => {
    const { it } = composer();
    it.pasted(LONG);
    it.write(it.attachments[0]?.id ?? 0);
    expect(it.text).toBe(`what is this?\n\n${LONG}`);
    expect(it.attachments).toEqual([]);
  });

  test('is sent with how much of it is read said before', () => {
    const { it } = composer();
    const model = CLAUDE;
    it.pasted(LONG);
    expect(givenLine(it.attachments, { ...model, attachedRoom: 20_001 })).toBeNull();
    expect(givenLine(it.attachments, { ...model, attachedRoom: 20_000 })).toContain('20,000 of 20,001');
    expect(givenLine(it.attachments, { ...model, attachedRoom: null })).not.toBeNull();
    expect(givenLine([], { ...model, attachedRoom: null })).toBeNull();
  });
});

describe('an attachment', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const decoding = (decode: () => Promise<{ close: () => void }>) => vi.stubGlobal('createImageBitmap', decode);

  test('that is an image only by its name is refused', async () => {
    decoding(() => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    const fake = new File(['not a png'], 'fake.png', { type: 'image/png' });
    await expect(attachmentFrom(fake)).rejects.toThrow('fake.png can’t be attached');
  });

  test('is text, an image or a Word document', async () => {
    expect(await attachmentFrom(new File(['grüße'], 'a.txt'))).toEqual({ kind: 'text', name: 'a.txt', text: 'grüße' });
    decoding(async () => ({ close: () => undefined }));
    const bytes = new Uint8Array(100_000).fill(7);
    expect(await attachmentFrom(new File([bytes], 'a.png', { type: 'image/png' }))).toEqual({
      kind: 'image',
      name: 'a.png',
      mediaType: 'image/png',
      data: Buffer.from(bytes).toString('base64'),
    });
    expect(await attachmentFrom(new File(['PK'], 'A.DOCX'))).toMatchObject({ kind: 'docx', data: 'UEs=' });
  });

  test('is a PDF or a recording if its bytes say so, whatever its name and type', async () => {
    const pdf = new File([PDF_BYTES], 'notes.txt', { type: 'text/plain' });
    expect(await attachmentFrom(pdf)).toEqual({ kind: 'document', name: 'notes.txt', data: btoa(PDF_BYTES) });
    const song = new File([MP3_BYTES], 'dot.png', { type: 'image/png' });
    expect(await attachmentFrom(song)).toMatchObject({ kind: 'audio', name: 'dot.png' });
    const no = new File([new Uint8Array([0, 255])], 'report.pdf', { type: 'application/pdf' });
    await expect(attachmentFrom(no)).rejects.toThrow('report.pdf can’t be attached. It isn’t a valid PDF file.');
  });

  test('that the model can’t take is refused with the reason', async () => {
    const pdf = new File([PDF_BYTES], 'plan.pdf');
    const song = new File([MP3_BYTES], 'talk.mp3');
    expect(await attachmentFrom(pdf, CLAUDE)).toMatchObject({ kind: 'document' });
    await expect(attachmentFrom(song, CLAUDE)).rejects.toThrow('Claude can’t listen to recordings');
    await expect(attachmentFrom(pdf, DEAF)).rejects.toThrow('plan.pdf can’t be attached: Qwen can’t read PDFs.');
    await expect(attachmentFrom(pdf, { ...DEAF, label: 'Guide', attachedRoom: null })).rejects.toThrow('The Guide');
  });

  test('that a model chosen later can’t take is said to be left out', async () => {
    const attachment = await attachmentFrom(new File([PDF_BYTES], 'plan.pdf'), CLAUDE);
    const attached = [{ id: 1, attachment, bytes: PDF_BYTES.length }];
    expect(givenLine(attached, CLAUDE)).toBeNull();
    expect(givenLine(attached, DEAF)).toBe('Qwen can’t read PDFs: “plan.pdf” will be left out.');
  });

  test('has limits that are said', async () => {
    const pdf = new File([PDF_BYTES, new Uint8Array(20_100_000)], 'big.pdf');
    await expect(attachmentFrom(pdf)).rejects.toThrow('big.pdf is too large (20.1 MB). A PDF may be up to 20 MB.');
    const image = new File([new Uint8Array(5_100_000)], 'big.png', { type: 'image/png' });
    await expect(attachmentFrom(image)).rejects.toThrow('big.png is too large (5.1 MB). An image may be up to 5 MB.');
    const text = new File(['x'.repeat(20_100_000)], 'long.txt');
    await expect(attachmentFrom(text)).rejects.toThrow('long.txt is too large (20.1 MB). A text may be up to 20 MB.');
  });
});

describe('the slash menu', () => {
  const tools = ['read_file', 'write_file', 'run_command'].map((name) => ({
    name,
    title: name,
    description: '',
    access: 'read',
    isEnabled: name !== 'run_command',
  }));
  const names = (text: string) => slashEntries(text, tools)?.map(({ name }) => name);

  test('offers what begins so first, and no tool that is off', () => {
    expect(names('/re')).toEqual(['retry', 'redo', 'read_file']);
    expect(names('/file')).toEqual(['read_file', 'write_file']);
    expect(names('/run')).toEqual([]);
  });

  test('a command is found before a tool that has its name in it', () => {
    const all = [...tools, ...tools.slice(0, 1).map((tool) => ({ ...tool, name: 'find_tools' }))];
    expect(slashEntries('/tools', all)?.map(({ name, kind }) => [name, kind])).toEqual([
      ['tools', 'line'],
      ['find_tools', 'tool'],
    ]);
  });

  test('offers /help for its beginning, and a name that has it within a word only for more letters', () => {
    const all = [...tools, ...tools.slice(0, 1).map((tool) => ({ ...tool, name: 'kill_shell' }))];
    const offered = (text: string) => slashEntries(text, all)?.map(({ name }) => name);
    expect(offered('/h')).toEqual(['help']);
    expect(offered('/he')).toEqual(['help']);
    expect(offered('/sh')).toEqual(['kill_shell']);
    expect(offered('/hel')).toEqual(['help', 'kill_shell']);
    expect(offered('/ell')).toEqual(['kill_shell']);
    expect(windowCommand('/help')).toBe('help');
  });

  test('is there only for the first word', () => {
    expect([names('hello'), names('/read_file {}'), names('see /re')]).toEqual([undefined, undefined, undefined]);
  });

  test('puts the caret between the braces', () => {
    expect(toolLine('read_file')).toEqual({ text: '/read_file {}', caret: 12 });
    expect(windowCommand(' /new ')).toBe('new');
    expect(windowCommand('/new one')).toBeNull();
  });

  test('knows an undo or a redo of one call', () => {
    expect(callCommand('/undo toolu_1')).toEqual({ kind: 'undo', callId: 'toolu_1' });
    expect(callCommand(' /redo toolu_1 ')).toEqual({ kind: 'redo', callId: 'toolu_1' });
    expect([callCommand('/undo'), callCommand('/undo a b'), callCommand('/new a')]).toEqual([null, null, null]);
  });
});

describe('the conversation list', () => {
  const now = new Date(2031, 2, 15, 9, 0);
  const at = (...[month, day, hour = 12]: number[]) => ({
    updatedAt: new Date(2031, month ?? 0, day, hour).toISOString(),
  });

  test('is grouped by days of the calendar', () => {
    const groups = groupByDate(
      [at(2, 15, 1), at(2, 14, 23), at(2, 8), at(2, 7), at(1, 1), { updatedAt: new Date(2029, 5, 1).toISOString() }],
      now,
      'en',
    );
    expect(groups.map(({ title, items }) => [title, items.length])).toEqual([
      ['Today', 1],
      ['Yesterday', 1],
      ['Previous 7 days', 1],
      ['March', 1],
      ['February', 1],
      ['June 2029', 1],
    ]);
  });

  test('is newest first, and takes a clock that was ahead for today', () => {
    const groups = groupByDate([at(2, 15, 1), at(2, 16, 1), at(2, 15, 5)], now, 'en');
    expect(groups).toHaveLength(1);
    expect(groups[0]?.items.map(({ updatedAt }) => new Date(updatedAt).getHours())).toEqual([1, 5, 1]);
  });
});

test('matches are marked, whatever ranges come, and nothing of the snippet is lost', () => {
  expect(
    matchPieces('one two one', [
      [8, 11],
      [0, 3],
    ]),
  ).toEqual([
    { text: 'one', isMatch: true },
    { text: ' two ', isMatch: false },
    { text: 'one', isMatch: true },
  ]);
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.tuple(fc.integer({ min: -3, max: 30 }), fc.integer({ min: -3, max: 30 }))),
      (text, ranges) => {
        expect(
          matchPieces(text, ranges)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      },
    ),
  );
});

test('shortcuts are left to an input method that is composing', () => {
  const press = { key: 'k', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, isComposing: false };
  expect(shortcutOf(press)).toBe('search');
  expect(shortcutOf({ ...press, isComposing: true })).toBeUndefined();
  expect(shortcutOf({ ...press, shiftKey: true })).toBeUndefined();
  expect(shortcutOf({ ...press, key: 'Escape', ctrlKey: false })).toBe('stop');
});

test('times are said as people say them', () => {
  expect([durationText(420), durationText(12_400), durationText(185_000)]).toEqual(['0.4 s', '12 s', '3 min 5 s']);
  expect([durationText(3), durationText(50)]).toEqual(['', '0.1 s']);
});
