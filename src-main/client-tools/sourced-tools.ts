import type { SourcedTool } from '../tools/registry/tool-source.ts';
import type { BroughtTool } from '../tools/registry/toolset.ts';
import { type ClientState, skillsOf } from './client-state.ts';
import { accessOf, type ClientSide, clientTool, containerTool, openingOf, skillTool } from './group-tools.ts';
import { type OfferedGroup, offeredGroups } from './offered-groups.ts';
import type { OwnCode, ToolGroup } from './records.ts';
import { type ActiveSkill, skillDocumentTool, type WebFetch } from './skill-documents.ts';

export interface SourcedClient {
  readonly state: ClientState;
  readonly side: ClientSide;
}

/** The tools of all clients: group by group, the tool that opens it first. */
export function toolsOfClients(
  clients: readonly SourcedClient[],
  { collapses, webFetch }: { readonly collapses: boolean; readonly webFetch: WebFetch },
): readonly SourcedTool[] {
  const groups = clients.flatMap(({ state, side }) =>
    offeredGroups(state, collapses).map((offered) => ({ offered, side })),
  );
  const tools = groups.flatMap(({ offered, side }) => toolsOfGroup(offered, side));
  const skills = groups.flatMap(({ offered, side }) => activeSkills(offered, side));
  if (!skills.some(({ documents }) => documents.length > 0)) return tools;
  return [...tools, { tool: skillDocumentTool(skills, webFetch), isOffered: true, place: 'opened' }];
}

export interface BringingClient {
  readonly name: string;
  readonly state: Pick<ClientState, 'groups'>;
  /** Set only for Steward's own code. */
  readonly ownCode: OwnCode | undefined;
}

/** Everything that has a name of its own, hidden or not: tools and skills. */
export function broughtBy(clients: readonly BringingClient[]): readonly BroughtTool[] {
  return clients.flatMap((client) => client.state.groups.flatMap((group) => broughtIn(group, client)));
}

function broughtIn(group: ToolGroup, { name: client, ownCode }: BringingClient): readonly BroughtTool[] {
  return [
    ...group.tools.map((tool) => ({ tool, access: accessOf(tool, ownCode) })),
    ...skillsOf(group).map((tool) => ({ tool, access: 'read' as const })),
  ].map(({ tool: { name, description }, access }) => ({ name, description, access, client, group: group.name }));
}

function toolsOfGroup(offered: OfferedGroup, side: ClientSide): readonly SourcedTool[] {
  const { isClosed, isCollapsible } = offered;
  // A model that remembers the tool of a group that is open by now is answered as before. Source: tool catalogue D.4
  // #7.
  const container: readonly SourcedTool[] =
    isClosed || isCollapsible ? [{ tool: containerTool(offered, side), isOffered: isClosed, place: 'container' }] : [];
  const skills = offered.skills.map(
    (skill): SourcedTool => ({ tool: skillTool(skill, side), isOffered: true, place: 'container' }),
  );
  const members = offered.tools.map((tool): SourcedTool => {
    const made = clientTool(tool, offered.group.name, side);
    if (offered.offered.has(tool)) return { tool: made, isOffered: true, place: 'opened' };
    return { tool: made, isOffered: false, opening: openingOf(offered, side) };
  });
  return [...container, ...skills, ...members].map((each) => ({ ...each, descriptionMarks: side.descriptionMarks }));
}

function activeSkills({ skills }: OfferedGroup, side: ClientSide): readonly ActiveSkill[] {
  return skills.flatMap(({ isActive, skill: { name, documents } }) =>
    isActive ? [{ name, marks: side.marksOf(name), documents: documents ?? [] }] : [],
  );
}
