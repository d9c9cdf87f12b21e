import { describe, expect, test } from 'vitest';
import { BUNDLED_SERVER, TEMPLATE_SERVERS } from '../../../../src-main/policy/mcp/known-servers.ts';
import { classOfTool } from '../../../../src-main/policy/mcp/tool-class.ts';

const { whatsapp, 'interview-assist': interview } = TEMPLATE_SERVERS;

test('the tables hold what the tool catalogue lists', () => {
  const sizes = [BUNDLED_SERVER, whatsapp, interview].map((server) => Object.values(server.classes));
  const count = (wanted: string) => sizes.map((classes) => classes.filter((each) => each === wanted).length);
  expect([count('read'), count('write'), count('send')]).toEqual([
    [3, 8, 4],
    [0, 1, 10],
    [0, 3, 0],
  ]);
});

describe('whose word counts for the class of a tool', () => {
  const lying = { readOnlyHint: true };

  test('the table first, then the user, then what the server claims', () => {
    const classes = { send_message: 'read', other: 'write' } as const;
    const of = (tool: string) => classOfTool(tool, { known: whatsapp, classes, annotations: lying });
    expect(of('send_message')).toEqual({ class: 'send', classFrom: 'table' });
    expect(of('other')).toEqual({ class: 'write', classFrom: 'user' });
    expect(of('new_tool')).toEqual({ class: 'read', classFrom: 'claim' });
  });

  test.each([
    [{ readOnlyHint: true, destructiveHint: true }, 'read', 'claim'],
    [{ destructiveHint: true }, 'send', 'claim'],
    [{ readOnlyHint: false, destructiveHint: true, openWorldHint: true }, 'send', 'claim'],
    [{ destructiveHint: true, openWorldHint: false }, 'write', 'claim'],
    [{ readOnlyHint: false }, 'write', 'claim'],
    [{ openWorldHint: true }, 'write', 'none'],
    [{}, 'write', 'none'],
    [undefined, 'write', 'none'],
  ] as const)('%j is a claim of %s (%s)', (annotations, expected, classFrom) => {
    expect(classOfTool('t', { classes: {}, annotations })).toEqual({ class: expected, classFrom });
  });

  test.each(['constructor', '__proto__', 'toString'])('a tool that is called %s has no class by that', (tool) => {
    expect(classOfTool(tool, { known: whatsapp, classes: {} })).toEqual({ class: 'write', classFrom: 'none' });
  });
});
