import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RENDERER_ROOMS, ROOMS } from '../../.dependency-cruiser.mjs';

const ROOT = join(import.meta.dirname, '../..');
const NOT_OURS = new Set(['node_modules', 'out', 'test-results', '.git', '.env']);
const ENTRY_FILES = ['main.ts', 'ask.ts', 'ask-process.ts', 'terminal.ts', 'services.ts'];
const README_MAX_LINES = 25;

/** Paths of all text files of the repository, relative to it, with `/`. */
async function textFiles(folder = ''): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter(({ name }) => !NOT_OURS.has(name))
      .map((entry) => {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) return textFiles(path);
        return entry.isFile() ? [path] : [];
      }),
  );
  return files.flat();
}

/** Tools put short-lived files beside their configuration; one may be gone between the listing and the reading. */
async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const texts = new Map<string, string>();
for (const file of await textFiles()) {
  const bytes = await readIfThere(join(ROOT, file));
  if (bytes !== undefined && !bytes.includes(0)) texts.set(file, bytes.toString('utf8'));
}
const isSource = (file: string) => /^(src-(main|preload|renderer)|resources)\/.*\.(ts|svelte|css)$/.test(file);
const isCode = (file: string) => /\.(ts|mjs|cjs|js|svelte|sh|yml)$/.test(file) || file === '.ci/run';
const isTestCode = (file: string) => file.startsWith('tests/') && isCode(file);
const lineCount = (text: string) => text.trimEnd().split('\n').length;

/** `file:line: text` of every line that matches. */
function linesMatching(pattern: RegExp, isMeant: (file: string) => boolean = () => true): string[] {
  return [...texts].flatMap(([file, text]) =>
    isMeant(file)
      ? text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []))
      : [],
  );
}

test('the files that the rules check are found', () => {
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining(['package.json', 'src-preload/contract/events.ts', '.ci/run']),
  );
});

describe('rooms of src-main', () => {
  const inMain = [...texts.keys()]
    .filter((file) => file.startsWith('src-main/'))
    .map((file) => file.split('/').slice(1));
  const rooms = [...new Set(inMain.filter((path) => path.length > 1).map(([room = '']) => room))];

  test('are a closed set, as the import rules know it', () => {
    expect(rooms.filter((room) => !Object.hasOwn(ROOMS, room))).toEqual([]);
    const files = inMain.filter((path) => path.length === 1).flat();
    expect(files.filter((file) => !ENTRY_FILES.includes(file))).toEqual([]);
  });

  test(`say what they are in a README of at most ${README_MAX_LINES} lines`, () => {
    const lengths = rooms.map((room) => [room, texts.get(`src-main/${room}/README.md`)] as const);
    expect(lengths.filter(([, text]) => text === undefined).map(([room]) => room)).toEqual([]);
    expect(lengths.filter(([, text]) => lineCount(text ?? '') > README_MAX_LINES).map(([room]) => room)).toEqual([]);
  });
});

describe('rooms of src-renderer', () => {
  const inRenderer = [...texts.keys()]
    .filter((file) => file.startsWith('src-renderer/'))
    .map((file) => file.split('/').slice(1));
  const rooms = [...new Set(inRenderer.filter((path) => path.length > 1).map(([room = '']) => room))];

  test('are a closed set, as the import rules know it', () => {
    expect(rooms.sort()).toEqual(Object.keys(RENDERER_ROOMS).sort());
  });

  test(`say what they are in a README of at most ${README_MAX_LINES} lines`, () => {
    const lengths = rooms.map((room) => [room, texts.get(`src-renderer/${room}/README.md`)] as const);
    expect(lengths.filter(([, text]) => text === undefined).map(([room]) => room)).toEqual([]);
    expect(lengths.filter(([, text]) => lineCount(text ?? '') > README_MAX_LINES).map(([room]) => room)).toEqual([]);
  });

  test('have no components in conversation/', () => {
    expect(inRenderer.filter(([room, file]) => room === 'conversation' && file?.endsWith('.svelte'))).toEqual([]);
  });
});

test('there are no catch-all files or folders', () => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|lib)(\/|\.[a-z]+$)/;
  expect([...texts.keys()].filter((file) => isSource(file) && drawer.test(file))).toEqual([]);
});

test('nothing is left for later in a comment', () => {
  const leftForLater = /(?:\/\/|\/\*+|^\s*\*|^\s*#|<!--)\s*(?:TODO|FIXME|XXX|HACK)\b/;
  expect(linesMatching(leftForLater, isCode)).toEqual([]);
});

test('no test is switched off or singled out', () => {
  const switched = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails)\s*[(.]/;
  expect(linesMatching(switched, isTestCode)).toEqual([]);
});

test('what a test waits for has a limit of its own: `vi.waitFor` gives up after a second, too soon on a busy machine', () => {
  /** Whether the call that begins the text has a second argument. */
  const hasLimit = (call: string) => {
    let depth = 0;
    for (const character of call) {
      if ('([{'.includes(character)) depth += 1;
      if (')]}'.includes(character)) depth -= 1;
      if (depth === 1 && character === ',') return true;
      if (depth === 0 && character === ')') return false;
    }
    return false;
  };
  const unlimited = [...texts].flatMap(([file, text]) =>
    isTestCode(file) && file !== 'tests/unit/house-rules.test.ts'
      ? [...text.matchAll(/\bvi\.waitFor\(/g)].flatMap(({ index }) =>
          hasLimit(text.slice(index)) ? [] : [`${file}:${lineCount(text.slice(0, index))}`],
        )
      : [],
  );
  expect(unlimited).toEqual([]);
  expect(hasLimit('vi.waitFor(() => expect(f(1, [2, 3])).toBe(4));')).toBe(false);
  expect(hasLimit('vi.waitFor(() => expect(f(1, [2, 3])).toBe(4), SOON);')).toBe(true);
});

test('tests declare what they need through machine-needs.ts, which fails if it must be available and otherwise prints the reason', () => {
  const skips = /\.(?:skipIf|runIf)\s*[(.]|(?<!\w)skip\(|\b(?:skip|todo|only|fails):\s*(?:true|!|[a-z])/;
  const places = ['tests/fixtures/machine-needs.ts', 'tests/fixtures/test-summary/'];
  const isElsewhere = (file: string) => isTestCode(file) && !places.some((place) => file.startsWith(place));
  expect(linesMatching(skips, isElsewhere)).toEqual([]);
});

test('nothing suppresses the linter or the type checker without a reason', () => {
  const suppressed = /@ts-(?:ignore|nocheck)\b|@ts-expect-error\s*$|biome-ignore(?:-all)?\s+[\w/]+\s*$/;
  // The pattern itself is one such line.
  expect(linesMatching(suppressed, (file) => isCode(file) && file !== 'tests/unit/house-rules.test.ts')).toEqual([]);
});

describe('facts about a single machine', () => {
  // Built from parts, so that this file does not hold what it looks for.
  const folders = ['work', 'root'].join('|');
  const hosts = [
    ['registry', 'npmjs', 'org'],
    ['registry', 'yarnpkg', 'com'],
    ['registry', 'npmmirror', 'com'],
    ['deb', 'debian', 'org'],
    ['security', 'debian', 'org'],
  ].map((parts) => parts.join('\\.'));
  const configured = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY;
  if (configured !== undefined && URL.canParse(configured))
    hosts.push(new URL(configured).hostname.replaceAll('.', '\\.'));

  test('no path of a machine', () => {
    expect(linesMatching(new RegExp(`(?<![\\w.~})-])/(?:${folders})/`))).toEqual([]);
  });

  test('no host of a package registry', () => {
    expect(linesMatching(new RegExp(`(?<![\\w.-])(?:${hosts.join('|')})(?![\\w-])`, 'i'))).toEqual([]);
  });

  test('no address of a package in the lockfile', () => {
    expect(linesMatching(/"resolved": "https?:/, (file) => file === 'package-lock.json')).toEqual([]);
  });
});

describe('names in the documentation', () => {
  const LAYERS = ['src-main', 'src-preload', 'src-renderer'];
  const parent = (path: string) => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
  const files = [...texts.keys()];
  const folders = new Set(files.flatMap((file) => ancestors(file)));
  const unbuiltRooms = Object.keys(ROOMS).map((room) => `src-main/${room}/`);
  const everything = new Set([...files, ...folders, ...unbuiltRooms]);

  /** `a/b/c.ts` → `a/b/`, `a/`, and the root, which is empty. */
  function ancestors(path: string): string[] {
    const above = parent(path);
    return above === '' ? [''] : [above, ...ancestors(above)];
  }

  /** What stands in backquotes and is written like a source file or a folder; `*` stands for a part of a name. */
  function pathsIn(line: string): string[] {
    const paths = line.matchAll(
      /`(?!\.(?:svelte|ts))([\w.@*-]+(?:\/[\w.@*-]+)*(?:\.(?:ts|mjs|svelte|css|html|md)|\/))`/g,
    );
    return [...paths].flatMap(([, path = '']) => (NOT_OURS.has(path.split('/')[0] ?? '') ? [] : [path]));
  }

  function matches(path: string): string[] {
    if (!path.includes('*')) return everything.has(path) ? [path] : [];
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return [...everything].filter((each) => pattern.test(each));
  }

  /**
   * Paths that lead nowhere. One is meant from the root, from a layer, from the folder of the text or from one above
   * it; also from a folder below its own; and, after another path of its line, from where that is.
   */
  function deadPaths(guide: string, line: string): string[] {
    const [folder = '', ...above] = ancestors(guide);
    const below = folder !== '' ? [...folders].filter((each) => each.startsWith(folder)) : [];
    const places = ['', ...LAYERS.map((layer) => `${layer}/`), folder, ...above, ...below];
    return pathsIn(line).filter((path) => {
      const found = places.flatMap((place) => matches(posix.join(place, path)));
      places.push(...found.map((each) => (each.endsWith('/') ? each : parent(each))));
      return found.length === 0;
    });
  }

  /** Decisions tell of their time; the other manuals are rendered. */
  const guides = [...texts].filter(([file]) => /^docs\/(ARCHITECTURE|SKELETONS)\.md$|(^|\/)README\.md$/.test(file));

  test('is there', () => {
    const dead = guides.flatMap(([guide, text]) =>
      text.split('\n').flatMap((line) => deadPaths(guide, line).map((path) => `${guide}: ${path}`)),
    );
    expect(dead).toEqual([]);
  });

  test('a path that does not exist is found', () => {
    expect(
      deadPaths('docs/ARCHITECTURE.md', 'See `policy/gate.ts`, `decide.ts` and `policy/door.ts`, `nowhere/`'),
    ).toEqual(['policy/door.ts', 'nowhere/']);
    expect(deadPaths('src-main/storage/README.md', '`event-log.ts`, `message-*.ts`, `copy-*.ts`')).toEqual([
      'copy-*.ts',
    ]);
  });

  test('is every room, in ARCHITECTURE.md', () => {
    const architecture = texts.get('docs/ARCHITECTURE.md') ?? '';
    const rooms = [...Object.keys(ROOMS), ...Object.keys(RENDERER_ROOMS)];
    expect(rooms.filter((room) => !architecture.includes(`\`${room}/\``))).toEqual([]);
  });
});

test('the licence is there, and package.json names it', () => {
  expect(existsSync(join(ROOT, 'LICENSE'))).toBe(true);
  expect(JSON.parse(texts.get('package.json') ?? '{}')).toMatchObject({ license: 'MIT' });
});
