import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PastedServers, pastedServers, serversInFile } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';
import { PROMPTS, WRAPPINGS, withEntities, withTypographicQuotes } from '../../fixtures/pastes/mutations.ts';
import { expectedOf, SERVERS, SHAPES, type Shape } from '../../fixtures/pastes/shapes.ts';
import { SNIPPETS } from '../../fixtures/pastes/snippets.ts';
import { toldServer } from '../../fixtures/pastes/told-server.ts';

const read = (text: string) => pastedServers(text, splitCommandWords);
const told = (result: PastedServers) =>
  'problem' in result ? [JSON.stringify(result.problem)] : result.servers.map(toldServer);
const serversOf = ({ isRemote }: Shape) => SERVERS.filter(({ url }) => (url !== '') === isRemote);
const made = SHAPES.flatMap((shape) =>
  serversOf(shape).map((server) => ({
    text: shape.text(server),
    told: expectedOf(server, shape.saysName),
    shape: shape.name,
  })),
);
const isCommand = (text: string) => /^(?:npx|uvx|uv|claude|codex|code|gemini) /.test(text);

/** What a text of ours may start: the programs of its snippets, never one that only carries them. */
const PROGRAMS = new Set([...SERVERS.map(({ command }) => command), 'cmd']);
const CARRIERS = /^(?:claude|codex|code|code-insiders|gemini|amp|droid|q|auggie|cursor|newcomer)(?:\.exe)?$/i;

test.each(Object.entries(WRAPPINGS))('%s changes nothing', (_name, wrap) => {
  for (const { text, told: expected } of made) expect(told(read(wrap(text))), wrap(text)).toEqual([expected]);
});

test.each(PROMPTS)('the prompt “%s” changes nothing', (prompt) => {
  for (const { text, told: expected } of made.filter((each) => isCommand(each.text)))
    expect(told(read(prompt + text)), prompt + text).toEqual([expected]);
});

test('entities and typographic quotes change nothing', () => {
  for (const { text, told: expected } of made) {
    expect(told(read(withEntities(text))), text).toEqual([expected]);
    if (/^\s*[{"]/.test(text)) expect(told(read(withTypographicQuotes(text))), text).toEqual([expected]);
  }
});

/** The programs of all servers in it, whichever is chosen. */
function programsIn(result: PastedServers): readonly string[] {
  return 'problem' in result ? [] : result.setups.flatMap(({ servers }) => servers.map(({ command }) => command));
}

test('a snippet cut anywhere is read or refused, and starts nothing else', () => {
  const texts = [...new Map(made.map((each) => [each.shape, each.text])).values(), ...SNIPPETS.map(([text]) => text)];
  for (const text of texts)
    for (let end = 1; end < text.length; end += 1) {
      const result = read(text.slice(0, end));
      for (const program of programsIn(result)) {
        if (/\b(?:claude|codex) mcp serve/.test(text)) continue;
        expect(CARRIERS.test(program), `${program} of ${text.slice(0, end)}`).toBe(false);
      }
    }
});

test('a snippet that lost or gained characters starts nothing else', () => {
  const snippet = fc.constantFrom(...made.map(({ text }) => text));
  const noise = fc.constantFrom(
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '\\',
    '\n',
    '`',
    '$',
    '<',
    '>',
    ';',
    '&&',
    '|',
    '#',
    '//',
    '\0',
    '\u202e',
    '“',
    '```',
    '=',
    ':',
    ',',
    ' ',
    'é',
    '💥',
  );
  fc.assert(
    fc.property(snippet, noise, fc.nat(), fc.nat({ max: 4 }), (text, added, position, removed) => {
      const at = position % text.length;
      const changed = text.slice(0, at) + added + text.slice(at + removed);
      for (const program of programsIn(read(changed)))
        expect(CARRIERS.test(program) && !PROGRAMS.has(program), changed).toBe(false);
      for (const syntax of ['json', 'toml', 'yaml'] as const) serversInFile(changed, syntax);
    }),
    { numRuns: 3_000, seed: 24 },
  );
});

test('any two snippets one after the other are two set-ups', () => {
  const [first, second] = [made[0], made.find(({ shape }) => shape === 'Codex')];
  const result = read(
    `# Claude Desktop\n\n\`\`\`json\n${first?.text}\n\`\`\`\n\n# Codex\n\n\`\`\`toml\n${second?.text.replace('github', 'other').replace('-y', '-q')}\n\`\`\``,
  );
  expect('setups' in result && result.setups.map(({ title, format }) => [title, format])).toEqual([
    ['Claude Desktop', 'json'],
    ['Codex', 'codex'],
  ]);
});
