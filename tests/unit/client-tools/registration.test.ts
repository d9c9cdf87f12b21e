import { beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_STATE, registered } from '../../../src-main/client-tools/client-state.ts';
import { loadSchemaChecks } from '../../../src-main/client-tools/parameter-schema.ts';
import { RunInput } from '../../../src-main/client-tools/records.ts';
import { registrationProblem } from '../../../src-main/client-tools/registration.ts';
import { groupWith, IDE, SHOP } from '../../fixtures/client-host.ts';

beforeAll(loadSchemaChecks);

function problemOf(
  groups: readonly object[],
  rules: { validatesSchemas?: boolean; taken?: string; mayLackTools?: boolean } = {},
) {
  const input = RunInput.parse({ clientToolGroups: groups });
  const { validatesSchemas = true, taken, mayLackTools = false } = rules;
  const isTaken = (name: string) => name.toLowerCase() === taken?.toLowerCase();
  return registrationProblem(input.clientToolGroups ?? [], registered(EMPTY_STATE, input), {
    validatesSchemas,
    isTaken,
    looksBuiltIn: () => false,
    mayLackTools,
  });
}

const withTool = (tool: object) => [{ ...IDE, tools: [{ ...IDE.tools[1], ...tool }] }];
const withSkill = (skill: object) => [{ ...SHOP, skills: [{ ...SHOP.skills[0], ...skill }] }];
const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });

describe('what can be registered (tool catalogue D.2)', () => {
  test.each<[string, readonly object[]]>([
    ['the example', [IDE]],
    ['a skill with references only', [SHOP]],
    ['a group without a description that starts open', [{ ...IDE, description: null, startCollapsed: false }]],
    ['a group that starts collapsed without a description', [{ ...IDE, description: '' }]],
    ['an empty schema', withTool({ parametersSchema: {} })],
    [
      'a schema of draft-07',
      withTool({ parametersSchema: { $schema: 'http://json-schema.org/draft-07/schema#', items: [{}] } }),
    ],
    ['a document of 50 KB', withSkill({ documents: [{ id: 'a', description: 'b', content: 'x'.repeat(50 * 1024) }] })],
    [
      'a reference to a group that comes later',
      [...withSkill({ references: [{ toolName: 'OpenFile', toolsetName: 'IDE' }] }), IDE],
    ],
  ])('%s', (_, groups) => {
    expect(problemOf(groups)).toBeUndefined();
  });

  test.each<[string, readonly object[]]>([
    ['a group without a name', [{ ...IDE, name: ' ' }]],
    ['a group without tools', [{ ...IDE, tools: [] }]],
    ['a tool without a name', withTool({ name: '' })],
    ['a tool without a description', withTool({ description: '' })],
    ['a schema that is none', withTool({ parametersSchema: { type: 'bogus' } })],
    ['a schema that is too deep', withTool({ parametersSchema: deep(500) })],
    ['a schema that is too long', withTool({ parametersSchema: { description: 'x'.repeat(100_000) } })],
    ['the same group twice', [IDE, IDE]],
    ['the same tool twice in a group', [{ ...IDE, tools: [...IDE.tools, { ...IDE.tools[0], name: 'openfile' }] }]],
    ['the same tool in two groups', [IDE, groupWith('Other', ['OpenFile'])]],
    ['a skill without a description', withSkill({ description: '' })],
    ['a skill that does nothing', withSkill({ references: [] })],
    ['a skill that refers to nothing', withSkill({ references: [{ toolName: 'Nothing' }] })],
    [
      'a skill that refers to an unknown group',
      withSkill({ references: [{ toolName: 'OpenFile', toolsetName: 'IDE' }] }),
    ],
    [
      'a document that is too large',
      withSkill({ documents: [{ id: 'a', description: 'b', content: 'ä'.repeat(26 * 1024) }] }),
    ],
    ['a document without text', withSkill({ documents: [{ id: 'a', description: 'b' }] })],
    ['a tool with a name without end', withTool({ name: 'x'.repeat(1_001) })],
    ['a document twice', withSkill({ documents: ['a', 'a'].map((id) => ({ id, description: 'b', content: 'c' })) })],
  ])('not: %s', (_, groups) => {
    expect(problemOf(groups)).toMatchObject({ group: expect.any(String), reason: expect.stringMatching(/./) });
  });

  test('a group without a name is named by its position', () => {
    expect(problemOf([IDE, { ...SHOP, name: '' }])).toEqual({ group: 'group 2', reason: 'the group has no name' });
  });

  test('a name that another tool has, in any case, is refused with the group', () => {
    expect(problemOf([SHOP, IDE], { taken: 'OPENFILE' })).toMatchObject({ group: 'IDE' });
  });

  test('schemas are not checked if the setting says so, but never too deep', () => {
    expect(problemOf(withTool({ parametersSchema: { type: 'bogus' } }), { validatesSchemas: false })).toBeUndefined();
    expect(problemOf(withTool({ parametersSchema: deep(500) }), { validatesSchemas: false })).toBeDefined();
  });

  test('only groups of Steward itself may have skills without tools', () => {
    const skills = [{ name: 'Review', description: 'Reviews', functionResult: 'How to review' }];
    const group = [{ name: 'Skills', description: 'Skills', tools: [], skills }];
    expect(problemOf(group)).toBeDefined();
    expect(problemOf(group, { mayLackTools: true })).toBeUndefined();
  });
});
