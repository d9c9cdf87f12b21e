import type { Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import type { SeenLinks } from '../policy/known-addresses.ts';
import type { ToolContext } from '../tools/contract.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import type { ResultDetails } from './call-result.ts';

/** What a call reports about its result while it runs. */
export class CallReport {
  /** The marks of the text in the result. */
  readonly marks: Mark[] = [];
  readonly #links: string[] = [];
  #card: ToolCard | undefined;
  #exitCode: number | undefined;
  #foundTools: readonly string[] | undefined;
  readonly #seen: SeenLinks;
  readonly #tools: Pick<Toolset, 'find'>;

  /** `seen` are the links in the conversation when the call was made. */
  constructor(seen: SeenLinks, tools: Pick<Toolset, 'find'>) {
    this.#seen = seen;
    this.#tools = tools;
  }

  /** How the call reports it. */
  get context(): Pick<ToolContext, 'mark' | 'links' | 'exited' | 'card' | 'findTools'> {
    return {
      mark: (mark) => void this.marks.push(mark),
      links: (found, page) => {
        if (page === undefined || this.#seen.has(page)) this.#links.push(...found);
      },
      exited: (exitCode) => {
        this.#exitCode = exitCode;
      },
      card: (card) => {
        this.#card = card;
      },
      findTools: async (query, count) => {
        const found = await this.#tools.find(query, count);
        if (found.length > 0) this.#foundTools = found.map(({ name }) => name);
        return found;
      },
    };
  }

  get details(): Pick<ResultDetails, 'links' | 'exitCode' | 'card' | 'foundTools'> {
    return {
      links: this.#links,
      exitCode: this.#exitCode,
      card: this.#card,
      ...(this.#foundTools === undefined ? {} : { foundTools: this.#foundTools }),
    };
  }
}
