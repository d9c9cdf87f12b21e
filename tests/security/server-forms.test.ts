import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestedForm, UnusableRequest } from '../../src-main/mcp/requests/requested-form.ts';
import { questionOf } from '../../src-main/policy/question/question-of.ts';
import { repetitions } from '../fixtures/repetitions.ts';

/**
 * A server's form that asks for a PIN, a one-time code or a card number isn't recognised in every spelling and alphabet,
 * so each form says who gets what is entered, and each with more than boxes to tick warns.
 */

const WARNING = 'Don’t enter passwords or codes here.';

function asked(properties: object, message = 'Please fill this in') {
  const { fields } = requestedForm({ message, requestedSchema: { type: 'object', properties } });
  const question = questionOf({
    kind: 'form',
    id: 'q',
    reason: { code: 'form' } as never,
    server: 'notes',
    message,
    fields,
    conversationId: null,
    conversations: 1,
  });
  const notes = question.parts.flatMap((part) => (part.kind === 'note' ? [part.text] : []));
  return { notes, isRecognised: fields.some(({ looksSecret }) => looksSecret) };
}

const text = (title: string) => ({ field: { type: 'string', title } });

const DISGUISED = [
  'Pin',
  'P I N',
  'РIN',
  'ＰＩＮ',
  'Ваш код',
  '確認コード',
  'Code à usage unique',
  'Einmalkennwort',
  'Geheimzahl',
  'TAN',
  'The six digits that you got by text',
  'Number on the front of the card',
  'Three digits on the back',
  'Card check',
  'mot de passe',
  'contraseña',
  'hasło',
  'palavra-chave',
  'κωδικός',
  'סיסמה',
  'كلمة السر',
  'รหัสผ่าน',
  '暗証番号',
  'Mother’s maiden name',
  'Phrase to recover it',
  'p4ssw0rd',
  'drowssap',
  'What you type to unlock your phone',
  '\u202eNIP',
];

test('the control: such words are not recognised by any list', () => {
  const unrecognised = DISGUISED.filter((title) => !asked(text(title)).isRecognised);
  expect(unrecognised.length).toBeGreaterThan(20);
});

describe('each form with a field to write in warns', () => {
  test.each(DISGUISED)('%j', (title) => {
    for (const field of [
      { type: 'string', title },
      { type: 'number', title },
      { type: 'integer', description: title },
      { type: 'string', format: 'email', title },
    ])
      expect(asked({ field }).notes).toEqual([`“notes” gets what you enter here, as plain text. ${WARNING}`]);
  });
});

describe('a form with a field for a password or key is refused, as the protocol says', () => {
  test.each([
    ['password', {}],
    ['userPassword', {}],
    ['db_password', { title: 'Database' }],
    ['apiKey', {}],
    ['field', { title: 'Your GitHub access token:' }],
    ['field', { title: 'API key *' }],
    ['field', { title: 'New password (8 characters or more)' }],
    ['field', { title: 'Pass\u200bword' }],
    ['field', { title: 'Pаsswоrd' }],
    ['field', { title: 'ＰＡＳＳＷＯＲＤ' }],
    ['field', { title: 'Recovery phrase' }],
    ['cvc', { type: 'integer' }],
    ['field', { title: 'Security-Code', format: 'email' }],
  ])('%s %j', (name, schema) => {
    expect(() => asked({ other: { type: 'string', title: 'Name' }, [name]: { type: 'string', ...schema } })).toThrow(
      UnusableRequest,
    );
  });

  test('and one that is about such a thing is not', () => {
    for (const [name, title] of [
      ['project_key', 'Project key'],
      ['f', 'API key name'],
      ['session', 'Session'],
      ['author', 'Author'],
      ['f', 'Password manager'],
    ] as const)
      expect(() => asked({ [name]: { type: 'string', title } }), title).not.toThrow();
    expect(() => asked({ password: { type: 'boolean', title: 'Reset my password' } })).not.toThrow();
  });
});

test.each([
  ['digits to choose from', { type: 'string', enum: [...'0123456789'] }],
  ['digits with titles', { type: 'string', oneOf: [...'0123456789'].map((digit) => ({ const: digit, title: digit })) }],
  ['names of digits', { type: 'string', enum: ['a', 'b'], enumNames: ['zero', 'one'] }],
  ['several of a list', { type: 'array', items: { type: 'string', enum: ['abandon', 'ability', 'able'] } }],
])('a form that takes a PIN or a phrase apart into choices warns: %s', (_, field) => {
  expect(asked({ first: field, second: field, third: field, fourth: field }).notes.at(-1)).toContain(WARNING);
});

test('whatever a generated form says of itself, it says who gets it, and warns', () => {
  const said = fc.string({ maxLength: 40, unit: 'grapheme' });
  const field = fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'number', 'integer'), title: said, description: said }),
    fc.record({ type: fc.constant('boolean'), title: said }),
    fc.record({ type: fc.constant('string'), title: said, enum: fc.array(said, { minLength: 1, maxLength: 12 }) }),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), field, { minKeys: 1, maxKeys: 5 }),
      said,
      (properties, message) => {
        const { notes } = asked(properties, message);
        const isMore = Object.values(properties).some(({ type }) => type !== 'boolean');
        expect(notes.at(-1)).toContain('“notes” gets what you enter');
        expect(notes.at(-1)?.includes(WARNING)).toBe(isMore);
      },
    ),
    { numRuns: repetitions(300, 6_000), seed: 31 },
  );
});

test('a form of boxes only says who gets them', () => {
  expect(asked({ yes: { type: 'boolean' } }).notes).toEqual(['“notes” gets what you enter here, as plain text.']);
});
