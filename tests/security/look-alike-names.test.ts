import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looksOf } from '../../src-main/base/look-alikes.ts';
import { isReservedName } from '../../src-main/client-tools/client-names.ts';
import { EMPTY_STATE } from '../../src-main/client-tools/client-state.ts';
import { registrationProblem } from '../../src-main/client-tools/registration.ts';
import { withoutLookAlikes } from '../../src-main/mcp/calls/tool-list.ts';
import { faultOfTool } from '../../src-main/mcp/messages/unusable-tool.ts';
import { looksBuiltIn } from '../../src-main/services/built-in-names.ts';
import { readConfig } from '../../src-main/settings/read-config.ts';
import { callWords } from '../../src-main/tools/words/call-words.ts';
import { leftOutText } from '../../src-preload/contract/left-out-tools.ts';
import { serverNameProblem } from '../../src-preload/contract/outside-names.ts';
import { repetitions } from '../fixtures/repetitions.ts';

/** A tool of a program or a server must not be taken for one of Steward's own. */

const OWN = [
  'read_file',
  'write_file',
  'list_directory',
  'bash',
  'run_command',
  'gmail_send',
  'memory_store',
  'ask_gemini',
];
const isAlike = looksBuiltIn({ ownNames: () => OWN });
const schema = { type: 'object' };

/** Why a program's tool of this name is refused, or undefined if it is accepted. */
function refusal(name: string) {
  const tool = { name, description: 'd', parametersSchema: schema, requiresPermission: false };
  const group = { name: 'ide', tools: [tool], startCollapsed: true };
  const isTaken = (each: string) => OWN.includes(each.toLowerCase());
  const rules = { validatesSchemas: false, isTaken, looksBuiltIn: isAlike };
  return registrationProblem([group], { ...EMPTY_STATE, groups: [group] }, rules)?.reason;
}

/** The tools of a server that are left, of this one. */
function offeredOf(server: string, name: string) {
  if (faultOfTool({ name, inputSchema: schema }) !== undefined) return [];
  const tool = { name, description: '', inputSchema: schema, annotations: {} };
  return withoutLookAlikes({ tools: [tool] }, server, isAlike).tools;
}

const ALIKE = [
  'reаd_file',
  'read_f𝐈le',
  'read_fℐle',
  'read_fiⓛe',
  're🅐d_file',
  'rea🅳_file',
  'reað_file',
  'read_fіle',
  'rеad_file',
  'read_filе',
  'ｒead_file',
  '𝗋𝖾𝖺𝖽_𝖿𝗂𝗅𝖾',
  'READ_FILE ',
  'Read-File',
  'read file',
  'read.file',
  'read/file',
  'read:file',
  'read__file',
  'read–file',
  'réad_file',
  'read_fi1e',
  'read_fiIe',
  'gMaiI_send',
  'Iist_directory',
  'list_directοry',
  'bаsh',
  'ВASH',
  'b4sh'.replace('4', 'ɑ'),
  'run⁃command',
  'run_cornmand',
  'gmaiI_send',
  'gmail_ѕend',
  'mernory_store',
  'ask_ɡemini',
  'ask‐gemini',
  'аsk_user',
  'rᴇad_file',
  'ʀead_file',
  'read_ꝼile',
  'reaꝺ_ꝼile',
  'ɓash',
  'baꞅh',
  'run_commanɖ',
  'ᴍemory_store',
  'memory_ꞅtore',
  'ɢmail_ꜱend',
  'liꞅt_diꞃectory',
  'rɛad_file',
  'system_info__disk_info',
];
const UNSEEN = [
  'read\u200b_file',
  'read_file\u202e',
  '\u2066x',
  'a\nb',
  'a\tb',
  'a\u00a0b',
  'x\u3164',
  'x\ufe0f',
  'x\u{e0041}',
  'a  b',
  ' a',
  'x\u00ad',
];

test('the control: as text they are all other names, so a lookup by name takes them', () => {
  for (const name of ALIKE) expect(OWN).not.toContain(name.toLowerCase());
});

describe('a program’s tool is refused, with words', () => {
  test.each(ALIKE)('%s', (name) => {
    expect(refusal(name)).toMatch(/looks like that of a tool of Steward’s own|characters or spaces that are not seen/);
  });
  test.each(UNSEEN)('%j', (name) => expect(refusal(name)).toContain('not seen'));
});

test('a server’s tool is judged by the whole name that it is offered under', () => {
  for (const [server, name] of [
    ['read', 'file'],
    ['rеad', 'file'],
    ['gmail', 'send'],
    ['system_info', 'disk_info'],
    ['List', 'directory'],
  ] as const) {
    const tool = { name, description: '', inputSchema: schema, annotations: {} };
    const { tools, leftOut = [] } = withoutLookAlikes({ tools: [tool] }, server, isAlike);
    expect(tools, `${server}__${name}`).toEqual([]);
    expect(leftOut.map(leftOutText)).toEqual([
      `a tool that has a name that looks like one of Steward’s own tools: ${name}`,
    ]);
  }
  for (const name of [...OWN, 'fetch']) expect(offeredOf('files', name), name).toHaveLength(1);
  for (const name of UNSEEN) expect(offeredOf('files', name), JSON.stringify(name)).toEqual([]);
});

test('a server’s own name can’t hide anything either', () => {
  for (const name of UNSEEN) expect(serverNameProblem(name), JSON.stringify(name)).not.toBeNull();
  for (const name of ['files', 'Größe', '東京', 'a b', 'x.y:z']) expect(serverNameProblem(name)).toBeNull();
});

test('ordinary names of other tools are taken', () => {
  for (const name of [
    'readFile',
    'GetSelection',
    'open_editor',
    'get_diagnostics',
    'readme',
    'file_read',
    'ausführen',
    '検索',
    'bash_history',
    'gmail',
  ])
    expect(refusal(name), name).toBeUndefined();
});

test('a card says whose tool it is before its name', () => {
  const program = { name: 'delete_all', owner: 'My editor', words: undefined, parameterAliases: {} };
  expect(callWords(program, {}).title).toBe('My editor: Delete all');
  const server = { name: 'files__delete_all', words: undefined, parameterAliases: {} };
  expect(callWords(server, {}).title).toBe('Files: delete all');
  expect(callWords({ ...program, name: 'files__delete_all' }, {}).title).toBe('My editor: Files: delete all');
});

/** Letters that look like these, of which each name below gets some. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  a: ['а', 'ɑ', 'α', 'ａ', '𝐚', 'á', 'A'],
  c: ['с', 'ϲ', 'ｃ', 'C'],
  d: ['ԁ', 'ｄ', '𝒅', 'D', 'ᴅ', 'ꝺ', 'ɗ'],
  e: ['е', 'ｅ', 'é', 'E', 'ᴇ', 'ɛ'],
  i: ['і', 'ｉ', 'ı', 'ì'],
  l: ['I', '1', '|', 'ｌ', 'ⅼ'],
  m: ['rn', 'ｍ', 'M', 'ᴍ', 'ᶆ'],
  o: ['о', 'ο', '0', 'ｏ', 'ö'],
  s: ['ѕ', 'ｓ', 'S', 'ꞅ', 'ꜱ', 'ᶊ'],
  y: ['у', 'ｙ', 'Y'],
  _: ['-', ' ', '.', '__', '–', '·'],
};

test('no generated twin of a name gets through', () => {
  const twin = fc
    .constantFrom(...OWN)
    .chain((name) =>
      fc
        .tuple(
          ...[...name].map((letter) =>
            fc.constantFrom(letter, ...(Object.hasOwn(TWINS, letter) ? (TWINS[letter] ?? []) : [])),
          ),
        )
        .map((letters) => letters.join('')),
    );
  fc.assert(
    fc.property(twin, (name) => {
      if (OWN.includes(name.toLowerCase())) return;
      expect(refusal(name), name).toBeDefined();
    }),
    { numRuns: repetitions(1_500, 30_000), seed: 31 },
  );
});

test('nor one with a character that is not seen, anywhere', () => {
  const unseen = fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2067',
    '\u00ad',
    '\ufeff',
    '\n',
    '\r',
    '\u2028',
    '\u0000',
    '\u{e0020}',
    '\u115f',
    '\u180e',
  );
  fc.assert(
    fc.property(fc.constantFrom(...OWN, 'mine', '検索'), unseen, fc.nat(12), (name, what, at) => {
      const hidden = name.slice(0, at) + what + name.slice(at);
      expect(refusal(hidden)).toContain('not seen');
      expect(offeredOf('files', hidden)).toEqual([]);
      expect(serverNameProblem(hidden)).not.toBeNull();
    }),
    { numRuns: repetitions(300, 10_000), seed: 31 },
  );
});

const UNKNOWN = ['fiꞁe', 'fiӏe', 'f¡le', 'fi׀€', 'ƒ!le', '𝟋ile', 'ﬁꞁ∈', 'fiʃe', 'f↑le', 'ʄ\u{1f4a7}le', 'fi⌊e'];

test.each(UNKNOWN)('a letter or sign that no table knows may look like any: %s', (name) => {
  expect(offeredOf('read', name)).toEqual([]);
  expect(refusal(`read_${name}`)).toContain('looks like');
  // The control: the tables alone make it another name.
  expect(looksOf(`read_${name}`)).not.toContain('read_file');
});

test('a name of such signs alone, or with other letters, is its own', () => {
  for (const name of [
    'c++',
    'ΔΣΩΨ',
    'поиск',
    'файл',
    'read_größe',
    'read_файл',
    'read_ﬁlm',
    'read_$1',
    '🔒🔒🔒🔒',
    'читать_file',
  ])
    expect(refusal(name), name).toBeUndefined();
});

test('no generated name with unknown letters gets through', () => {
  // Of these, the tables know next to none. A word of them alone is read as one of another alphabet.
  const letter = fc.integer({ min: 0x2500, max: 0x26ff }).map((code) => String.fromCodePoint(code));
  const changed = fc
    .constantFrom(...OWN.filter((name) => name.length > 8))
    .chain((name) =>
      fc
        .tuple(fc.uniqueArray(fc.nat(name.length - 1), { minLength: 1, maxLength: 2 }), letter)
        .map(([places, sign]) => [...name].map((each, at) => (places.includes(at) ? sign : each)).join('')),
    );
  fc.assert(
    fc.property(changed, (name) => {
      expect(refusal(name), name).toBeDefined();
    }),
    { numRuns: repetitions(500, 20_000), seed: 31 },
  );
});

test('a very long name is compared in bounded time', () => {
  const began = performance.now();
  for (const part of ['rn', '€', 'r€', 'ꞁe']) isAlike(part.repeat(500_000));
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('a server or a program can’t be called like Steward itself', () => {
  for (const name of ['Steward', 'Ѕteward', 'STEWARD', 'Ste­ward', 'system info', 'System-Info', 'ѕystem-info']) {
    const { config } = readConfig({ mcpServers: { [name]: { command: 'npx' } } }, '/profile');
    expect(Object.keys(config.mcpServers), name).toEqual([]);
  }
  for (const name of ['Ѕteward', 'the wіndow', 'The-Window', 'skills  from files', 'constructor'])
    expect(isReservedName(name), name).toBe(true);
  const { config } = readConfig({ mcpServers: { 'system-info': {}, files: { command: 'npx' } } }, '/profile');
  expect(Object.keys(config.mcpServers)).toEqual(['system-info', 'files']);
});
