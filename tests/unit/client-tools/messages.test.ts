import { expect, test } from 'vitest';
import { parseClientLine, parseRunInput } from '../../../src-main/client-tools/protocol/messages.ts';

const tool = { name: 'OpenFile', description: 'Opens a file' };

test('the three messages of a client are read, with the defaults of D.1', () => {
  const hello = { type: 'hello', name: 'Editor', version: '2', token: 't' };
  expect(parseClientLine(JSON.stringify(hello))).toEqual({ kind: 'message', message: hello });
  const input = { type: 'run_input', conversation: 'current', clientToolGroups: [{ name: 'IDE', tools: [tool] }] };
  expect(parseClientLine(JSON.stringify(input))).toMatchObject({
    kind: 'message',
    message: {
      conversation: 'current',
      resetClientState: false,
      clientToolGroups: [{ startCollapsed: true, tools: [{ requiresPermission: false, parametersSchema: {} }] }],
    },
  });
  const response = { type: 'client_response', requestId: 'r', content: [{ type: 'text', text: 'x' }] };
  expect(parseClientLine(JSON.stringify(response))).toMatchObject({ kind: 'message', message: { success: true } });
});

test('null counts as absent, except where it is a value', () => {
  const parsed = (message: object) => {
    const line = parseClientLine(JSON.stringify(message));
    return line.kind === 'message' ? line.message : line;
  };
  const empty = { parametersSchema: null, requiresPermission: null };
  const group = { name: 'IDE', description: null, skills: null, functionResult: null, systemPrompt: null };
  const skill = { name: 'S', description: 'd', functionResult: 'f', systemPrompt: null, references: null };
  expect(
    parsed({
      type: 'run_input',
      conversation: null,
      resetClientState: null,
      state: null,
      hiddenTools: null,
      context: null,
      expandedContainers: null,
      clientToolGroups: [
        { ...group, startCollapsed: null, tools: [{ ...tool, ...empty }] },
        { ...group, startCollapsed: null, tools: [tool], skills: [{ ...skill, documents: null }] },
      ],
    }),
  ).toMatchObject({
    resetClientState: false,
    state: null,
    clientToolGroups: [
      { startCollapsed: true, tools: [{ parametersSchema: {}, requiresPermission: false }] },
      { skills: [{ references: [] }] },
    ],
  });
  const answer = { content: null, success: null, errorMessage: null, augmentation: null };
  expect(parsed({ type: 'client_response', requestId: 'r', ...answer })).toMatchObject({ content: [], success: true });
  expect(parsed({ type: 'hello', name: 'Editor', version: null, token: null })).toMatchObject({ version: '' });
});

test('a field that is not known is ignored, so that a newer client can attach', () => {
  const line = JSON.stringify({ type: 'hello', name: 'Editor', version: '2', later: { a: 1 } });
  expect(parseClientLine(line)).toMatchObject({ kind: 'message', message: { name: 'Editor' } });
});

test.each([
  ['half a line', '{"type":"client_resp'],
  ['no JSON', 'hello'],
  ['no object', '[1,2]'],
  ['null', 'null'],
  ['no type', '{}'],
  ['a type that is no text', '{"type":{}}'],
  ['an unknown type', '{"type":"client_request","requestId":"r"}'],
  ['an answer without a request', '{"type":"client_response"}'],
  ['content of an unknown type', '{"type":"client_response","requestId":"r","content":[{"type":"html"}]}'],
  ['deep nesting', `{"type":"client_response","requestId":"r","content":${'['.repeat(100_000)}`],
  ['many values', `{"type":"client_response","requestId":"r","content":[${'1,'.repeat(200_000)}1]}`],
])('%s is a bad line', (_what, line) => {
  expect(parseClientLine(line)).toMatchObject({ kind: 'faulty', code: 'bad_line' });
});

test('a long value is not repeated in the answer to it', () => {
  const parsed = parseClientLine(JSON.stringify({ type: 'x'.repeat(1_000_000) }));
  expect(parsed).toMatchObject({ kind: 'faulty' });
  expect(JSON.stringify(parsed).length).toBeLessThan(500);
});

test('a group at fault is named, as the catalogue words it', () => {
  const line = JSON.stringify({ type: 'run_input', clientToolGroups: [{ name: 'IDE', tools: [tool, { name: 'X' }] }] });
  expect(parseClientLine(line)).toMatchObject({
    kind: 'faulty',
    code: 'registration_failed',
    reason: expect.stringMatching(/^Client tool registration failed: IDE: tools\[1\]\.description: /),
  });
});

test('the content of --run-input needs no type, and says what is wrong with it', () => {
  expect(parseRunInput('{}')).toEqual({ input: { resetClientState: false } });
  expect(parseRunInput(JSON.stringify({ type: 'run_input', hiddenTools: ['A'] }))).toMatchObject({
    input: { hiddenTools: ['A'] },
  });
  // One field that is not known among others may be of a newer version; nothing but such fields is a mistake.
  expect(parseRunInput('{"hiddenTools":[],"later":1}')).toMatchObject({ input: { hiddenTools: [] } });
  expect(parseRunInput('{"tools":[]}')).toEqual({ reason: expect.stringMatching(/only "?tools.*clientToolGroups/) });
  expect(parseRunInput('{')).toEqual({ reason: expect.stringMatching(/JSON/) });
  expect(parseRunInput('{"hiddenTools":3}')).toEqual({ reason: expect.stringMatching(/hiddenTools/) });
  expect(parseRunInput('{"clientToolGroups":[{"tools":[]}]}')).toMatchObject({
    fault: { group: 'group 1', reason: expect.stringMatching(/^name: /) },
  });
});
