import { programAsSource } from '../../src-preload/contract/client-reason.ts';
import type { Mark } from '../../src-preload/contract/events.ts';
import { descriptionsOfClient } from '../../src-preload/contract/mark-text.ts';
import type { Tool, ToolContext, ToolInput, ToolResult } from '../tools/contract.ts';
import { entryTool } from '../tools/registry/entry-tool.ts';
import type { GroupOpening } from '../tools/registry/group-opening.ts';
import { containerDescription } from '../tools/registry/tool-groups.ts';
import type { Invocations } from './invocations.ts';
import { activatedText, type OfferedGroup, type OfferedSkill, openedText } from './offered-groups.ts';
import type { ClientHost, ClientTool, OwnCode } from './records.ts';
import { resultOf } from './result-content.ts';

/** What the tools of a client need of it. */
export interface ClientSide {
  /** The name that it gives itself. */
  readonly client: string;
  readonly invocations: Pick<Invocations, 'call'>;
  /** Who answers calls of this group now. */
  hostOf(group: string): ClientHost | undefined;
  open(group: string): void;
  activate(group: string, skill: string): void;
  /** Marks of its texts about its tools, groups and skills, which are in each request that offers them. */
  readonly descriptionMarks: readonly Mark[];
  /**
   * The marks of what this tool or skill returns, in addition to those of its accesses. Without a name, those of what
   * it adds to the system prompt.
   */
  marksOf(name?: string): readonly Mark[];
}

/**
 * A client's text is as little trusted as a page's, and may hold what only the user should know. Source: design section
 * 4 ("Client tools").
 */
export function marksOfClient(client: string): readonly Mark[] {
  return marksFrom(programAsSource(client));
}

/** The marks of a client's descriptions. */
export function descriptionMarksOf(client: string): readonly Mark[] {
  return marksFrom(descriptionsOfClient(client));
}

function marksFrom(source: string): readonly Mark[] {
  return [
    { kind: 'untrusted', source },
    { kind: 'private', source },
  ];
}

export function containerTool(offered: OfferedGroup, side: ClientSide): Tool {
  const { name, description } = offered.group;
  const { open, marks } = openingOf(offered, side);
  const tool = entryTool({
    name,
    description: containerDescription(
      description,
      offered.tools.map((each) => each.name),
    ),
    enter: ({ mark }) => {
      for (const each of marks) mark(each);
      return open();
    },
  });
  return { ...tool, ...ownerOf(name, side) };
}

export function openingOf(offered: OfferedGroup, side: ClientSide): GroupOpening {
  const { name, functionResult } = offered.group;
  return {
    open: () => {
      side.open(name);
      return openedText(offered);
    },
    marks: functionResult === undefined || functionResult === null ? [] : side.marksOf(name),
  };
}

export function skillTool(offered: OfferedSkill, side: ClientSide): Tool {
  const { name, description } = offered.skill;
  const tool = entryTool({
    name,
    description,
    enter: ({ mark }) => {
      for (const each of side.marksOf(name)) mark(each);
      side.activate(offered.group, name);
      return activatedText(offered);
    },
  });
  return { ...tool, ...ownerOf(offered.group, side) };
}

/** A program's own `delete_all` must not look like ours. */
function ownerOf(group: string, side: ClientSide): Pick<Tool, 'owner'> {
  return side.hostOf(group)?.ownCode === undefined ? { owner: side.client } : {};
}

/** `own` is the code that brought the tool, if it is Steward's. Nothing that a program says makes a class. */
export function accessOf(
  { name, requiresPermission }: Pick<ClientTool, 'name' | 'requiresPermission'>,
  own: OwnCode | undefined,
): Tool['access'] {
  return requiresPermission ? 'execute' : (own?.classOf(name) ?? 'write');
}

/** A tool that the client executes. */
export function clientTool(tool: ClientTool, group: string, side: ClientSide): Tool {
  const { name, description, requiresPermission } = tool;
  const inputSchema = { ...tool.parametersSchema, type: 'object' };
  return {
    name,
    description,
    inputSchema,
    errorPrefix: 'Error: ',
    hasOwnResultCap: false,
    undo: 'impossible',
    access: accessOf(tool, side.hostOf(group)?.ownCode),
    ...ownerOf(group, side),
    isForwarded: true,
    emptyAllowed: [],
    parameterAliases: {},
    nameAliases: [],
    requiredTexts: {},
    asksModel: false,
    prepare: (input) => ({
      assess: async (context) => {
        const { ownCode: own, pairing } = side.hostOf(group) ?? {};
        const asking = {
          ...({ kind: 'client', class: 'write', requiresPermission, client: side.client, tool: name } as const),
          ...(pairing === undefined ? {} : { pairing }),
        };
        const execute = (running: ToolContext) => invoke(tool, { input, group, side }, running);
        if (own === undefined) return { access: [asking], execute };
        const effects = await own.effectsOf(name, input, context);
        return { ...effects, access: requiresPermission ? [...effects.access, asking] : effects.access, execute };
      },
    }),
  };
}

async function invoke(
  { name, description }: ClientTool,
  { input, group, side }: { readonly input: ToolInput; readonly group: string; readonly side: ClientSide },
  { callId, signal, mark }: ToolContext,
): Promise<ToolResult> {
  // The marks of other clients follow from the call's access.
  if (side.hostOf(group)?.ownCode !== undefined) for (const each of side.marksOf(name)) mark(each);
  const host = () => side.hostOf(group);
  const end = await side.invocations.call({ toolName: name, callId, arguments: input, description, host, signal });
  switch (end.kind) {
    case 'answered':
      return resultOf(end.response);
    case 'unavailable':
      return { text: end.text, isError: true };
    case 'cancelled':
      return { text: end.text, isError: true, outcome: 'stopped' };
    case 'failed':
      return { text: end.text, isError: true, endsTurn: { code: 'client_tool_timeout', message: end.text } };
  }
}
