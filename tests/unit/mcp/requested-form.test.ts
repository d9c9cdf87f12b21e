import { expect, test } from 'vitest';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import { requestedForm, UnusableRequest } from '../../../src-main/mcp/requests/requested-form.ts';
import { requestedUrl, requiredUrls } from '../../../src-main/mcp/requests/requested-url.ts';
import { defaultContent, formContent } from '../../../src-main/policy/mcp/form.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import { type EnteredValue, fieldProblem } from '../../../src-preload/contract/form.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';

const form = (properties: Record<string, unknown>, more: { message?: string; required?: string[] } = {}) => ({
  message: more.message ?? 'Please fill this in',
  requestedSchema: { type: 'object', properties, ...(more.required === undefined ? {} : { required: more.required }) },
});
const fieldsOf = (properties: Record<string, unknown>, required: string[] = []) =>
  requestedForm(form(properties, { required })).fields;
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

/** Each hostile form beside a small one of its kind, which is shown. */
const HOSTILE: readonly { readonly name: string; readonly harmless: unknown; readonly hostile: unknown }[] = [
  {
    name: '10,000 fields',
    harmless: form(Object.fromEntries(many(50, (index) => [`f${index}`, { type: 'string' }]))),
    hostile: form(Object.fromEntries(many(10_000, (index) => [`f${index}`, { type: 'string' }]))),
  },
  {
    name: 'a message of 1 MB',
    harmless: form({}, { message: 'x'.repeat(4_000) }),
    hostile: form({}, { message: 'x'.repeat(1_000_000) }),
  },
  {
    name: '50,000 options',
    harmless: form({ a: { type: 'string', enum: many(200, String) } }),
    hostile: form({ a: { type: 'string', enum: many(50_000, String) } }),
  },
  {
    name: 'fields within fields',
    harmless: form({ a: { type: 'string' } }),
    hostile: form({ a: { type: 'object', properties: { b: { type: 'string' } } } }),
  },
  {
    name: 'lists of lists',
    harmless: form({ a: { type: 'array', items: { type: 'string', enum: ['x'] } } }),
    hostile: form({ a: { type: 'array', items: { type: 'array', items: { type: 'string', enum: ['x'] } } } }),
  },
  { name: 'a schema that refers to itself', harmless: form({}), hostile: form({ a: { $ref: '#' } }) },
  {
    name: 'no choices',
    harmless: form({ a: { type: 'string', enum: ['x'] } }),
    hostile: form({ a: { type: 'string', enum: [] } }),
  },
  {
    name: 'a description of 1 MB',
    harmless: form({}),
    hostile: form({ a: { type: 'string', description: 'x'.repeat(1e6) } }),
  },
];

test.each(HOSTILE)('a form that cannot be shown whole is put to nobody: $name', ({ harmless, hostile }) => {
  expect(() => requestedForm(harmless)).not.toThrow();
  expect(() => requestedForm(hostile)).toThrow(UnusableRequest);
});

test('a default that the form would refuse is none', () => {
  const [number, choice, text, date, list] = fieldsOf({
    number: { type: 'integer', minimum: 1, maximum: 10, default: 99 },
    choice: { type: 'string', enum: ['a', 'b'], default: 'c' },
    text: { type: 'string', maxLength: 3, default: 'four' },
    date: { type: 'string', format: 'date', default: '2027-02-30' },
    list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1, default: ['a', 'b'] },
  });
  for (const field of [number, choice, text, date, list]) expect(field).toMatchObject({ hasDefault: false });
  expect(fieldsOf({ number: { type: 'integer', minimum: 1, maximum: 10, default: 9 } })[0]).toMatchObject({
    hasDefault: true,
    initial: '9',
  });
});

test('what a form sends is checked in main again, and by its own names', () => {
  const fields = fieldsOf(
    {
      // As JSON has it: a member like others.
      ...JSON.parse('{"__proto__":{"type":"string"}}'),
      count: { type: 'integer', minimum: 1 },
      tick: { type: 'boolean' },
      one: { type: 'string', oneOf: [{ const: 'b-1', title: 'First' }] },
      some: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'x', title: 'X' },
            { const: 'y', title: 'Y' },
          ],
        },
        minItems: 1,
      },
    },
    ['count'],
  );
  const valid: EnteredValue[] = ['', '3', true, [0], [1]];
  const names = fields.map(({ name }) => name);
  expect(names).toContain('count');
  const at = (name: string) => names.indexOf(name);
  const entered = fields.map(
    ({ rules }, index) =>
      ({ text: 'p', number: '3', boolean: true, choice: [0], choices: [1] })[rules.kind] ?? valid[index] ?? '',
  );
  const content = formContent(fields, entered);
  expect(content).toMatchObject({ count: 3, tick: true, one: 'b-1', some: ['y'] });
  expect(Object.getPrototypeOf(content)).toBe(Object.prototype);
  const replaced = (name: string, value: EnteredValue) =>
    entered.map((each, index) => (index === at(name) ? value : each));
  for (const [name, value] of [
    ['count', '0'],
    ['count', ''],
    ['count', '1e999'],
    ['count', [0]],
    ['tick', 'yes'],
    ['one', [1]],
    ['one', 'b-1'],
    ['some', [0, 0]],
    ['some', [-1]],
    ['some', [0.5]],
  ] as const)
    expect(formContent(fields, replaced(name, value))).toBeUndefined();
  expect(formContent(fields, entered.slice(1))).toBeUndefined();
});

test('defaults suffice only if each required field has one', () => {
  const suffices = { a: { type: 'string', default: 'x' }, b: { type: 'boolean' } };
  expect(defaultContent(fieldsOf(suffices, ['a']))).toEqual({ a: 'x' });
  expect(defaultContent(fieldsOf(suffices, ['b']))).toBeUndefined();
  expect(defaultContent(fieldsOf({ a: { type: 'string' } }, ['a']))).toBeUndefined();
});

test('the page gets every text of a server with what hides or reorders made visible, and no default with such characters', async () => {
  const bidi = 'user\u202Egnp.exe\u200B';
  const { message, fields } = requestedForm(
    form(
      {
        name: { type: 'string', title: bidi, description: bidi, default: bidi },
        pick: { type: 'string', oneOf: [{ const: bidi, title: bidi }] },
      },
      { message: `[click](https://evil.example) ${bidi}` },
    ),
  );
  const reason = { code: 'server_form', server: 's', isUnasked: false } as const;
  const question = questionOf({
    kind: 'form',
    id: '1',
    server: bidi,
    reason,
    message,
    fields,
    conversationId: null,
    conversations: 0,
  });
  // The control: they are there as long as nobody draws it.
  expect(JSON.stringify(question)).toMatch(/[\u202E\u200B]/);
  const card = await consentCard(question, null);
  expect(JSON.stringify(card)).not.toMatch(/[\u202E\u200B]/);
  expect(card.fields?.[0]).toMatchObject({ title: expect.stringContaining('⟨U+202E⟩'), initial: '' });
  // No link is made of it.
  expect(card.parts[0]).toMatchObject({ kind: 'text', text: expect.stringContaining('[click](https://evil.example)') });
  // The server is sent its own value all the same.
  expect(formContent(fields, ['', [0]])).toEqual({ pick: bidi });
});

test('a field that seems to ask for a secret has a warning', () => {
  const secret = (properties: Record<string, unknown>, message?: string) =>
    requestedForm(form(properties, message === undefined ? {} : { message })).fields.map(
      ({ looksSecret }) => looksSecret,
    );
  expect(secret({ license_key: { type: 'string' } })).toEqual([true]);
  expect(secret({ f: { type: 'string', title: 'Your API key, if any' } })).toEqual([true]);
  expect(secret({ f: { type: 'string', description: 'the access token of your account' } })).toEqual([true]);
  expect(secret({ f: { type: 'string' } }, 'Enter your passphrase below')).toEqual([true]);
  expect(secret({ f: { type: 'number', title: 'CVV of the card' } })).toEqual([true]);
  expect(
    secret({ name: { type: 'string', title: 'Name' }, agree: { type: 'boolean', title: 'Reset my password' } }),
  ).toEqual([false, false]);
});

test.each([
  ['2027-02-28', 'date', true],
  ['2027-02-30', 'date', false],
  ['28.2.2027', 'date', false],
  ['2027-03-14T09:30:00Z', 'date-time', true],
  ['2027-03-14T09:30:00+02:00', 'date-time', true],
  ['2027-03-14T09:30', 'date-time', false],
  ['2027-03-14T25:30:00Z', 'date-time', false],
  ['ada@example.org', 'email', true],
  ['ada@', 'email', false],
  ['a b@c.d', 'email', false],
  ['https://example.org/a', 'uri', true],
  ['urn:isbn:1', 'uri', true],
  ['example.org', 'uri', false],
] as const)('%s as %s', (text, format, isRight) => {
  const rules = { kind: 'text', isRequired: true, format, minLength: null, maxLength: null } as const;
  expect(fieldProblem(rules, text)?.code).toBe(isRight ? undefined : 'wrong_format');
});

test('no entry takes long to check, however it was written', () => {
  const [field] = fieldsOf({ mail: { type: 'string', format: 'email' } });
  if (field === undefined) throw new Error('There is no field');
  const startedAt = ownTimeMs();
  for (const text of ['a@'.repeat(5_000), `${'a.'.repeat(4_999)}@`, `a@${'b.'.repeat(4_990)}`])
    fieldProblem(field.rules, text);
  expect(ownTimeMs() - startedAt).toBeLessThan(1_000);
});

test.each([
  ['https://example.org/sign-in?x=1', true],
  ['http://localhost:8080/a', true],
  ['http://127.0.0.1/a', true],
  ['http://[::1]:9000/a', true],
  ['http://example.org/', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['data:text/html,x', false],
  ['ms-settings:privacy', false],
  ['https://user:pass@example.org/', false],
  ['https://example.org@evil.example/', false],
  ['https://exam\tple.org/', false],
  ['https://exam\u200Bple.org/', false],
  [`https://example.org/${'x'.repeat(2_000)}`, false],
  ['http://127.0.0.1.evil.example/', false],
  ['http://localhost.evil.example/', false],
])('an address that a server wants opened: %s', (url, isOpened) => {
  const request = () => requestedUrl({ mode: 'url', url, message: 'Sign in' });
  if (isOpened) expect(request().url).toBe(new URL(url).href);
  else expect(request).toThrow(UnusableRequest);
});

test('the host of an address is shown as it is looked up', () => {
  expect(requestedUrl({ url: 'https://аpple.com/a', message: '' }).host).toMatch(/^xn--/);
  const four = { elicitations: many(4, () => ({ url: 'https://a.example/', message: '' })) };
  expect(() => requiredUrls(four)).toThrow(UnusableRequest);
  expect(requiredUrls({ elicitations: four.elicitations.slice(1) })).toHaveLength(3);
});
