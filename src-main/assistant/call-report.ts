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
  /** Of the mail that the links come from. */
  #senders: readonly string[] | undefined;
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
  get context(): Pick<ToolContext, 'mark' | 'links' | 'mailLinks' | 'exited' | 'card' | 'findTools'> {
    return {
      mark: (mark) => void this.marks.push(mark),
      links: (found, page) => {
        if (page === undefined || this.#seen.has(page)) this.#links.push(...found);
        else this.#addOfMailedPage(found, page);
      },
      mailLinks: (found, sender) => {
        this.#links.push(...found);
        this.#senders = [sender];
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

  /** Who sent a link chose the page too, so its links count as the sender's, on the same host alone. */
  #addOfMailedPage(found: readonly string[], page: string): void {
    const senders = this.#seen.inMails(page).map(({ sender }) => sender);
    if (senders.length === 0) return;
    const { host } = new URL(page);
    this.#links.push(...found.filter((link) => URL.canParse(link) && new URL(link).host === host));
    this.#senders = senders;
  }

  get details(): Pick<ResultDetails, 'links' | 'linksFrom' | 'exitCode' | 'card' | 'foundTools'> {
    return {
      links: this.#links,
      ...(this.#senders === undefined ? {} : { linksFrom: this.#senders }),
      exitCode: this.#exitCode,
      card: this.#card,
      ...(this.#foundTools === undefined ? {} : { foundTools: this.#foundTools }),
    };
  }
}
