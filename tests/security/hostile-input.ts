import fc from 'fast-check';
import type { JsonSchema, Tool } from '../../src-main/tools/contract.ts';

/** Paths that lead outside, nowhere, in a circle, or are none, in the workspace that `every-tool.test.ts` lays out. */
const paths = fc.oneof(
  fc.constantFrom(
    '../../../etc/passwd',
    '/etc/passwd',
    '/tmp/malicious',
    '../proj-evil/secret.txt',
    '../outside/secret.txt',
    'link/secret.txt',
    'link/evil.txt',
    'file-link',
    'dangling',
    'loop',
    'loop/x',
    'pipe',
    'inside.txt',
    'sub',
    'sub/../../outside/secret.txt',
    '../profile/config.json',
    'a\0b',
    '..',
    '.',
    '/',
    '~/x',
    '-rf',
    '$HOME',
    '\\\\server\\share',
    'C:\\Windows\\System32',
    `${'../'.repeat(400)}etc/passwd`,
    'x'.repeat(5000),
    '\ud800',
  ),
  fc
    .array(fc.constantFrom('..', '.', 'link', 'sub', 'loop', 'outside', 'proj-evil', 'secret.txt', '', ' ', 'new'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('/')),
);

const patterns = fc.constantFrom(
  '(',
  '[',
  '*',
  '**/**/**/**/*',
  '{a,{b,{c,',
  '(a+)+$',
  '(?<x>',
  '\\',
  '.*',
  '$.[',
  "$..['a'",
  '[?(@.a == ',
  '$[?(@.constructor)]',
  '{"a":{"__proto__":1}}',
  '[1,2',
  '"',
  '<p>',
  'AND OR (',
  "'; DROP TABLE events; --",
);

const numbers = fc.constantFrom(
  0,
  -1,
  1,
  1.5,
  1e308,
  -1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  '5',
  '1e999',
);

/** `origins` are those that a request may go to; no name leads to any other host. */
function urls(origins: readonly string[]): fc.Arbitrary<string> {
  const origin = fc.constantFrom(...origins, 'http://nowhere.invalid', 'https://user:pw@nowhere.invalid:99999');
  const path = fc.constantFrom(
    '',
    '/',
    '/jobs/view/1',
    '/%00',
    '/../..',
    '/?q=\r\nX: y',
    '/#f',
    `/${'a'.repeat(5000)}`,
  );
  return fc.oneof(
    fc.tuple(origin, path).map((parts) => parts.join('')),
    fc.constantFrom(
      'file:///etc/passwd',
      'javascript:1',
      'data:,x',
      'ftp://127.0.0.1/',
      'http://',
      '//x',
      'HTTP:/x',
      ' ',
    ),
  );
}

/** What a model might send to this tool: what the schema wants, nearly that, and nothing like it. */
export function hostileInputFor(tool: Tool, origins: readonly string[]): fc.Arbitrary<unknown> {
  const text = fc.oneof(paths, patterns, urls(origins), fc.string({ unit: 'binary', maxLength: 40 }));
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: numbers },
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(text, { maxLength: 3 }),
    fc.constant({ toString: 'x', __proto__: null }),
  );
  const { properties = {} } = tool.inputSchema;
  const parameters = Object.entries(Object(properties)).map(([name, schema]) => {
    const given = fc.oneof({ weight: 2, arbitrary: fitting(Object(schema), text) }, value);
    return [name, actsByItself(tool, name) ? harmlessCommand : given] as const;
  });
  const aliases = Object.entries(tool.parameterAliases).flatMap(([alias, name]) =>
    actsByItself(tool, name) ? [] : [[alias, value] as const],
  );
  const inherited = ['constructor', 'toString', 'hasOwnProperty'].map((name) => [name, value] as const);
  const all = Object.fromEntries([...parameters, ...aliases, ...inherited]);
  const required = Object.keys(all).filter((name) => [tool.inputSchema.required].flat().includes(name));
  const record = fc.record(all, { requiredKeys: required });
  const nothingLikeIt = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(undefined, null, '', '{"', '[]', '{"__proto__":{"a":1}}'),
  );
  return fc.oneof(
    { weight: 6, arbitrary: record },
    { weight: 2, arbitrary: nearlyTheExample(tool, value) },
    fc.record(all, { requiredKeys: [] }),
    nothingLikeIt,
  );
}

/** A call that can be made, with at most one parameter that is not what it should be: so that the tool gets to run. */
function nearlyTheExample(tool: Tool, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const example = tool.manual?.example ?? {};
  const spoilt = Object.keys(example).filter((name) => !actsByItself(tool, name));
  return fc
    .tuple(fc.constantFrom(undefined, ...spoilt), value)
    .map(([name, given]) => (name === undefined ? example : { ...example, [name]: given }));
}

/** Input of the kinds that the schema names, with hostile texts in it. */
function fitting(schema: JsonSchema, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer(), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(Object(schema.items), text), { maxLength: 4 });
    case 'object': {
      const members = Object.entries(Object(schema.properties)).map(([name, each]) => [
        name,
        fitting(Object(each), text),
      ]);
      return members.length === 0 ? fc.dictionary(text, text) : fc.record(Object.fromEntries(members));
    }
    default:
      return text;
  }
}

/** Whether any text could be a command that does something to the machine of the test. */
function actsByItself({ access }: Tool, parameter: string): boolean {
  return access === 'execute' && parameter === 'command';
}

const harmlessCommand = fc.oneof(
  fc.constantFrom(
    ':',
    'true',
    'echo x',
    'exit 3',
    'no-such-program',
    '"',
    "'",
    '$(',
    '\0',
    '\n\n',
    '-',
    './',
    '/',
    '.',
  ),
  fc.constantFrom(5, true, null, [], {}, ['true']),
);
