import { FIND_TOOLS } from '../../../src-preload/contract/find-tools.ts';
import { firstCharacters, shortened } from '../../base/text.ts';
import { type ChoiceOptions, chooseOffered, frontOf, MAX_OFFERED, type ToolUse } from './choose-offered.ts';
import { filling } from './filling.ts';
import type { OfferedTool } from './registry.ts';
import { groupsOf, serverOfGroup } from './tool-groups.ts';
import type { ToolIndexes } from './tool-indexes.ts';
import type { FillingFor, FoundTool, ToolOffer } from './toolset.ts';

/** OpenAI's limit for a description (tool catalogue A.1). */
const MAX_DESCRIPTION_LENGTH = 1024;
/** Characters of a first message that are compared with the tools: what is wanted is mostly said at the beginning. */
const MESSAGE_CHARACTERS = 1_000;
/** More can't be found than can be offered. */
const MAX_MATCHES = MAX_OFFERED;

export interface ToolFinderPorts {
  /** Shared by all conversations: they mostly have the same tools. */
  readonly indexes: ToolIndexes;
  /** Names of tools that any conversation used, the latest last. */
  readonly recentlyUsed: readonly string[];
  readonly serverUsedAt: ServerUsedAt;
}

/** When a server was last used (ISO 8601), or undefined if it never was. */
export type ServerUsedAt = (server: string) => string | undefined;

/** What of a conversation's tools a request contains, and how the rest is found. */
export class ToolFinder {
  readonly #ports: ToolFinderPorts;
  /** Used in other conversations. Stays the same, so that the prompt cache holds. */
  #elsewhere: readonly ToolUse[] | undefined;

  constructor(ports: ToolFinderPorts) {
    this.#ports = ports;
  }

  /** `all` is every tool that the model may call, `find_tools` among them unless it is switched off. */
  offer(
    all: readonly OfferedTool[],
    { uses, canDefer, filled }: Pick<ChoiceOptions<OfferedTool>, 'uses' | 'canDefer' | 'filled'>,
  ): ToolOffer {
    const { finder, tools } = apart(all);
    this.#elsewhere ??= this.#ports.recentlyUsed
      .filter((name) => !uses.some((use) => use.name === name))
      .map((name) => ({ name, isFoundInHistory: false }));
    return chooseOffered(tools, {
      finder: finder && withSources(finder, searchable(all)),
      uses: filled === undefined ? [...this.#elsewhere, ...uses] : uses,
      canDefer,
      filled,
    });
  }

  /**
   * The tools, in wire form, that a conversation is offered in addition to those that always are. Empty if a request
   * has room for all tools. See `filling`.
   */
  async fill(all: readonly OfferedTool[], { uses, message }: FillingFor): Promise<readonly string[]> {
    const { finder, tools } = apart(all);
    if (tools.length <= MAX_OFFERED) return [];
    const { others, room } = frontOf(tools, finder === undefined ? MAX_OFFERED : MAX_OFFERED - 1);
    const text = firstCharacters(message, MESSAGE_CHARACTERS);
    return filling(others, {
      room,
      used: uses.map(({ name }) => name),
      usedElsewhere: this.#ports.recentlyUsed,
      groupsUsed: this.#groupsUsed(others),
      matches: (await this.find(all, text, MAX_MATCHES)).map(({ name }) => name),
    });
  }

  #groupsUsed(tools: readonly OfferedTool[]): readonly string[] {
    const used = groupsOf(tools).flatMap(({ id }) => {
      const server = serverOfGroup(id);
      const at = server === undefined ? undefined : this.#ports.serverUsedAt(server);
      return at === undefined ? [] : [{ id, at: Date.parse(at) }];
    });
    return used.sort((a, b) => b.at - a.at).map(({ id }) => id);
  }

  /** Finds tools, best first. It searches those that are not always offered, or all of them if they are. */
  async find(all: readonly OfferedTool[], query: string, count: number): Promise<readonly FoundTool[]> {
    const searched = searchable(all);
    const index = await this.#ports.indexes.of(searched);
    const byName = new Map(searched.map((tool) => [tool.name, tool]));
    return index.search(query, count).flatMap((name) => byName.get(name) ?? []);
  }
}

function apart(all: readonly OfferedTool[]) {
  const finder = all.find(({ name, category }) => name === FIND_TOOLS && category === 'core');
  return { finder, tools: all.filter((tool) => tool !== finder) };
}

/** Does not depend on what was used, so that a tool can be found again. */
function searchable(all: readonly OfferedTool[]): readonly OfferedTool[] {
  const { finder, tools } = apart(all);
  const { leftOut } = chooseOffered(tools, { finder: finder ?? tools[0], uses: [], canDefer: false });
  return leftOut.length === 0 ? tools : leftOut;
}

/** A model that knows what there is searches for it. */
function withSources(finder: OfferedTool, found: readonly OfferedTool[]): OfferedTool {
  const titles = groupsOf(found).map(({ title }) => title);
  if (titles.length === 0) return finder;
  const description = `${finder.description} They are tools of: ${titles.join(', ')}.`;
  return { ...finder, description: shortened(description, MAX_DESCRIPTION_LENGTH) };
}
