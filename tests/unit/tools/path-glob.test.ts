import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GlobError } from '../../../src-main/base/glob.ts';
import { PathGlob } from '../../../src-main/base/path-glob.ts';

const PATHS = [
  'a.ts',
  'b.js',
  '.env',
  'src/b.ts',
  'src/deep/c.tsx',
  'src/.hidden/d.ts',
  '.github/w.yml',
  'src/[id].ts',
];
const matching = (pattern: string, options?: { hidden: boolean }) => {
  const glob = new PathGlob(pattern, options);
  return PATHS.filter((path) => glob.matches(path));
};

test('** matches any number of folders, including none', () => {
  expect(matching('**/*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/[id].ts']);
  expect(matching('src/**')).toEqual(['src/b.ts', 'src/deep/c.tsx', 'src/[id].ts']);
  expect(matching('**')).toEqual(['a.ts', 'b.js', 'src/b.ts', 'src/deep/c.tsx', 'src/[id].ts']);
  expect(matching('**/**/deep/**/*')).toEqual(['src/deep/c.tsx']);
  expect(matching('./src//*.ts')).toEqual(['src/b.ts', 'src/[id].ts']);
  expect(matching('a**s')).toEqual(['a.ts']);
});

test('the other signs are those of names, braces also with folders in them', () => {
  expect(matching('*.{js,ts}')).toEqual(['a.ts', 'b.js']);
  expect(matching('{src,src/deep}/?.ts*')).toEqual(['src/b.ts', 'src/deep/c.tsx']);
  expect(matching('[!a].js')).toEqual(['b.js']);
  expect(matching('src/\\[id\\].ts')).toEqual(['src/[id].ts']);
  expect(matching('')).toEqual([]);
  expect(() => new PathGlob('src/{a')).toThrow(GlobError);
});

test('names with a dot are matched only by what names it, unless all are asked for', () => {
  expect(matching('*')).toEqual(['a.ts', 'b.js']);
  expect(matching('.*')).toEqual(['.env']);
  expect(matching('[.]env')).toEqual([]);
  expect(matching('**/.*')).toEqual(['.env']);
  expect(matching('**/.hidden/*')).toEqual(['src/.hidden/d.ts']);
  expect(matching('.github/**/*.yml')).toEqual(['.github/w.yml']);
  expect(matching('**/*.ts', { hidden: true })).toEqual(['a.ts', 'src/b.ts', 'src/.hidden/d.ts', 'src/[id].ts']);
});

test('only folders that can hold a match are entered', () => {
  const glob = new PathGlob('src/*/x/**/*.ts');
  expect(
    ['src', 'lib', 'src/a', 'src/a/y', 'src/a/x', 'src/a/x/z/z', 'src/a/x/.z'].filter((it) => glob.mayHold(it)),
  ).toEqual(['src', 'src/a', 'src/a/x', 'src/a/x/z/z']);
});

test('a match is what the regular expression of the same meaning matches', () => {
  const segment = fc.constantFrom('**', '*', 'a', 'b*', '?', '[ab]', '*b*', '.a');
  const name = fc.constantFrom('a', 'b', 'ab', 'ba', 'bb', '.a', 'c');
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      fc.array(name, { minLength: 1, maxLength: 5 }),
      (parts, names) => {
        const path = names.join('/');
        const glob = new PathGlob(parts.join('/'));
        expect(glob.matches(path)).toBe(asRegExp(parts).test(`${path}/`));
        if (glob.matches(path)) {
          for (let depth = 1; depth < names.length; depth++)
            expect(glob.mayHold(names.slice(0, depth).join('/'))).toBe(true);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

/** On a path with `/` at its end. A `**` at the end needs one name at least: it is files that are matched. */
function asRegExp(parts: readonly string[]): RegExp {
  const sources = parts.map((part, index) => {
    if (part === '**')
      return parts.slice(index).every((each) => each === '**') && index === parts.length - 1
        ? '(?:[^./][^/]*/)+'
        : '(?:[^./][^/]*/)*';
    const visible = part.startsWith('.') ? '' : '(?!\\.)';
    return `${visible}${part.replaceAll('.', '\\.').replaceAll('?', '[^/]').replaceAll('*', '[^/]*')}/`;
  });
  return new RegExp(`^${sources.join('')}$`);
}
