import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const POLICY = join(ROOT, 'src-main/policy');
const CONTRACT = join(ROOT, 'src-preload/contract');

/** What is added, and what the compiler then has to name. */
const ADDED = [
  {
    what: 'a kind of access',
    file: join(POLICY, 'accesses/access-kinds.ts'),
    from: 'export type Access =\n',
    to: "export type Access =\n  | { readonly kind: 'camera'; readonly class: 'read' }\n",
    places: [join(POLICY, 'accesses/access-kinds.ts')],
    named: /'camera'/,
  },
  {
    what: 'something to know of each kind of access',
    file: join(POLICY, 'accesses/access-kind.ts'),
    from: 'export interface AccessKind<A> {\n',
    to: 'export interface AccessKind<A> {\n  wakesCamera(access: A): boolean;\n',
    places: ['account', 'app', 'client', 'clipboard', 'command', 'file', 'invitation', 'mail', 'mcp', 'request']
      .concat('variable')
      .map((kind) => join(POLICY, `accesses/${kind}.ts`)),
    named: /'wakesCamera'/,
  },
  {
    what: 'a kind of request',
    file: join(POLICY, 'consent.ts'),
    from: 'export type ConsentRequest =\n',
    to: "export type ConsentRequest =\n  | (Asked & { readonly kind: 'camera' })\n",
    places: [join(POLICY, '../headless/flag-consent.ts'), join(POLICY, 'question/question-of.ts')],
    named: /lacks ending return statement/,
  },
  {
    what: 'a kind of question',
    file: join(CONTRACT, 'consent.ts'),
    from: 'export type QuestionKind =\n',
    to: "export type QuestionKind =\n  | 'camera'\n",
    places: [join(POLICY, 'question/consent-question.ts'), join(POLICY, '../headless/terminal-answer.ts')],
    named: /'camera'|camera: |lacks ending return statement/,
  },
  {
    what: 'a subject of a permission grant',
    file: join(CONTRACT, 'grant-reason.ts'),
    from: 'export type GrantSubject =\n',
    to: "export type GrantSubject =\n  | 'camera'\n",
    places: [
      join(CONTRACT, 'grant-reason.ts'),
      join(POLICY, 'permission-grant.ts'),
      join(POLICY, 'question/grant-subjects.ts'),
    ],
    named: /'camera'|index type 'GrantValues'/,
  },
] as const;

const PLACES: readonly string[] = [...new Set(ADDED.flatMap(({ places }) => places))];

/** Messages of the compiler, by file; with these texts in place of what the files hold. */
function errorsWith(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost({ ...options, incremental: false, tsBuildInfoFile: undefined });
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram(PLACES, { ...options, incremental: false, tsBuildInfoFile: undefined }, host);
  return new Map(
    PLACES.map((file) => {
      const source = program.getSourceFile(file);
      const found = program.getSemanticDiagnostics(source);
      return [file, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))];
    }),
  );
}

test('whatever is added, the compiler names each place that does not know it yet', () => {
  const texts = new Map<string, string>();
  for (const { file, from, to } of ADDED) {
    const text = readFileSync(file, 'utf8');
    expect(text, file).toContain(from);
    texts.set(file, text.replace(from, to));
  }
  const errors = errorsWith(texts);
  const silent = ADDED.flatMap(({ what, places, named }) =>
    places.filter((file) => !errors.get(file)?.some((message) => named.test(message))).map((file) => [what, file]),
  );
  expect(silent).toEqual([]);
}, 120_000);
