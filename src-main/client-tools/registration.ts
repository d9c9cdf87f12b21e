import { hidesSomething, isNameOfEveryObject } from '../../src-preload/contract/outside-names.ts';
import { checkBoundedValue } from '../base/bounded-json.ts';
import { errorMessage } from '../base/errors.ts';
import { grouped, shortened, visible } from '../base/text.ts';
import type { ClientState, Ignored } from './client-state.ts';
import { isBlank, skillsOf } from './client-state.ts';
import { schemaProblem } from './parameter-schema.ts';
import type { ClientTool, Skill, SkillDocument, ToolGroup } from './records.ts';

export interface RegistrationRules {
  readonly validatesSchemas: boolean;
  /** A tool of this name exists already: built in, of an MCP server, or of another client. */
  readonly isTaken: (toolName: string) => boolean;
  /** A name that people would read as that of a tool of Steward's own. */
  readonly looksBuiltIn: (name: string) => boolean;
  /** Groups of Steward itself may have skills only. */
  readonly mayLackTools?: boolean;
}

/** The limit in bytes of UTF-8. Source: tool catalogue D.1. */
const MAX_DOCUMENT = 50 * 1024;
/** The limit in UTF-16 units. Names are shown, and sent again with every answer. */
const MAX_NAME_LENGTH = 1_000;
/** The limit in UTF-16 units of JSON, because a schema is part of each request to the model. */
const MAX_SCHEMA_LENGTH = 100_000;
const MAX_GROUPS = 500;
/** Limit for all groups of a client together. */
const MAX_TOOLS = 5_000;

/**
 * Why these groups cannot be registered; `state`: as it would be with them, and with what other groups have. Source:
 * tool catalogue D.2.3, D.2.4.
 */
export function registrationProblem(
  groups: readonly ToolGroup[],
  state: ClientState,
  rules: RegistrationRules,
): Ignored | undefined {
  if (groups.length === 0) return undefined;
  for (const [index, group] of groups.entries()) {
    const reason = longName(group) ?? badName(group, rules) ?? groupProblem(group, rules);
    if (reason === undefined) continue;
    return { group: isBlank(group.name) ? `group ${index + 1}` : shortened(group.name, MAX_NAME_LENGTH), reason };
  }
  const repeated = repeatedIn(groups.map(({ name }) => name));
  if (repeated !== undefined) return { group: repeated, reason: 'the group is there twice' };
  return limitProblem(state) ?? duplicateTool(groups, state, rules) ?? openReference(groups, state);
}

function longName(group: ToolGroup): string | undefined {
  const isLong = [group, ...group.tools, ...skillsOf(group)].some(({ name }) => name.length > MAX_NAME_LENGTH);
  return isLong ? `a name has more than ${grouped(MAX_NAME_LENGTH)} characters` : undefined;
}

/** People decide by these names, so none may hide, reorder or repaint text, or look like one of Steward's own. */
function badName(group: ToolGroup, { looksBuiltIn, isTaken }: RegistrationRules): string | undefined {
  const skills = skillsOf(group);
  const named = [group, ...group.tools, ...skills].map(({ name }) => name);
  const unseen = named.find((name) => !isBlank(name) && hidesSomething(name));
  if (unseen !== undefined) return `the name ${visible(unseen)} has characters or spaces that are not seen`;
  const ofObjects = named.find(isNameOfEveryObject);
  if (ofObjects !== undefined) return `every object has something of the name ${ofObjects}`;
  // The model is offered these as tools.
  const offered = [group, ...group.tools, ...skills].map(({ name }) => name);
  const alike = offered.find((name) => looksBuiltIn(name) && !isTaken(name));
  return alike === undefined ? undefined : `the name ${alike} looks like that of a tool of Steward’s own`;
}

function groupProblem(group: ToolGroup, rules: RegistrationRules): string | undefined {
  if (isBlank(group.name)) return 'the group has no name';
  if (group.tools.length === 0 && !(rules.mayLackTools === true && skillsOf(group).length > 0))
    return 'the group has no tools';
  for (const tool of group.tools) {
    if (isBlank(tool.name)) return 'a tool has no name';
    if (isBlank(tool.description)) return `the tool ${tool.name} has no description`;
    const problem = parametersProblem(tool, rules);
    if (problem !== undefined) return `the parameters of ${tool.name} ${problem}`;
  }
  const skills = skillsOf(group);
  const twice = repeatedIn(skills.map(({ name }) => name));
  if (twice !== undefined) return `the skill ${twice} is there twice`;
  for (const skill of skills) {
    const problem = skillProblem(skill);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function parametersProblem({ parametersSchema: schema }: ClientTool, rules: RegistrationRules): string | undefined {
  const deep = tooDeep(schema);
  const { length } = deep === undefined ? JSON.stringify(schema) : '';
  if (length > MAX_SCHEMA_LENGTH)
    return `have ${grouped(length)} characters; at most ${grouped(MAX_SCHEMA_LENGTH)} are registered`;
  const problem = deep ?? (rules.validatesSchemas ? schemaProblem(schema) : undefined);
  return problem === undefined ? undefined : `are no valid JSON Schema: ${problem}`;
}

function skillProblem(skill: Skill): string | undefined {
  const { name, description, functionResult, systemPrompt, references } = skill;
  if (isBlank(name)) return 'a skill has no name';
  if (isBlank(description)) return `the skill ${name} has no description`;
  if (isBlank(functionResult) && isBlank(systemPrompt) && references.length === 0)
    return `the skill ${name} needs a function result, a system prompt or a reference`;
  const documents = skill.documents ?? [];
  const twice = repeatedIn(documents.map(({ id }) => id));
  if (twice !== undefined) return `the document ${twice} of the skill ${name} is there twice`;
  for (const document of documents) {
    const problem = documentProblem(document);
    if (problem !== undefined) return `the document ${document.id} of the skill ${name} ${problem}`;
  }
  return undefined;
}

function documentProblem({ id, content, url }: SkillDocument): string | undefined {
  if (isBlank(id)) return 'has no id';
  if (isAbsent(content) === isAbsent(url)) return 'needs either content or a URL';
  const bytes = Buffer.byteLength(content ?? '', 'utf8');
  return bytes > MAX_DOCUMENT
    ? `has ${grouped(bytes)} bytes; at most ${grouped(MAX_DOCUMENT)} may be inline`
    : undefined;
}

function limitProblem({ groups }: ClientState): Ignored | undefined {
  const [first] = groups;
  if (first === undefined) return undefined;
  if (groups.length > MAX_GROUPS) return { group: first.name, reason: `more than ${grouped(MAX_GROUPS)} groups` };
  const tools = groups.reduce((sum, group) => sum + group.tools.length + skillsOf(group).length, 0);
  return tools > MAX_TOOLS
    ? { group: first.name, reason: `more than ${grouped(MAX_TOOLS)} tools and skills` }
    : undefined;
}

/** Names are compared as they are looked up: without regard to case. */
function duplicateTool(
  groups: readonly ToolGroup[],
  state: ClientState,
  { isTaken }: RegistrationRules,
): Ignored | undefined {
  const owner = new Map<string, string>();
  const isNew = new Set(groups.map(({ name }) => name));
  for (const { name: group, tools } of state.groups) {
    for (const { name } of tools) {
      const other = owner.get(name.toLowerCase());
      if (other !== undefined) {
        const [refused, holder] = isNew.has(group) ? [group, other] : [other, group];
        return { group: refused, reason: `the tool ${name} is already in the group ${holder}` };
      }
      owner.set(name.toLowerCase(), group);
      if (isNew.has(group) && isTaken(name)) return { group, reason: `a tool named ${name} exists already` };
    }
  }
  return undefined;
}

function openReference(registering: readonly ToolGroup[], { groups }: ClientState): Ignored | undefined {
  const byName = new Map(groups.map((group) => [group.name, group]));
  for (const group of registering) {
    for (const { name: skill, references } of skillsOf(group)) {
      for (const { toolName, toolsetName } of references) {
        const named = byName.get(toolsetName ?? group.name);
        if (named?.tools.some(({ name }) => name === toolName) === true) continue;
        const where = isBlank(toolsetName) ? '' : ` of the group ${toolsetName}`;
        return { group: group.name, reason: `the skill ${skill} refers to an unknown tool ${toolName}${where}` };
      }
    }
  }
  return undefined;
}

function tooDeep(schema: Readonly<Record<string, unknown>>): string | undefined {
  try {
    checkBoundedValue(schema);
    return undefined;
  } catch (error) {
    return `it is ${errorMessage(error)}`;
  }
}

function repeatedIn(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function isAbsent(value: string | null | undefined): boolean {
  return value === null || value === undefined;
}
