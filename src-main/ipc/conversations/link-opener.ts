import { randomUUID } from 'node:crypto';
import { marksIn } from '../../assistant/conversation-log.ts';
import { linkAuthor } from '../../assistant/link-author.ts';
import type { ConsentPort } from '../../policy/consent.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import type { ProfilePart, ToolsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { externalUrl } from '../external-url.ts';
import { needGesture } from '../gesture.ts';
import type { Circumstances } from '../handlers.ts';
import { OneQuestion } from '../one-question.ts';
import { inMailbox, isOwnAddress } from '../vendor-pages.ts';

export interface LinkOpenerPorts {
  readonly desktop: Pick<Desktop, 'takeGesture' | 'openExternal'>;
  readonly consent: ConsentPort;
  /** Shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
  readonly storage: Pick<ProfilePart['storage'], 'events'>;
  readonly registry: Pick<ToolsPart['registry'], 'get'>;
  readonly googleAccounts: Pick<ToolsPart['googleAccounts'], 'address'>;
  /** Ends the question when the window closes. */
  readonly signal: AbortSignal;
}

type LinkProblem = 'link_not_in_conversation' | 'link_by_assistant' | 'mail_link_not_by_user';

/**
 * Opens addresses that the page requests after a click. A compromised page, or a model, could leak data in an address,
 * so the address must appear in the conversation; otherwise the user sees all of it first. Source: design section 4.
 */
export class LinkOpener {
  readonly #ports: LinkOpenerPorts;
  readonly #question: OneQuestion;

  constructor(ports: LinkOpenerPorts) {
    this.#ports = ports;
    this.#question = new OneQuestion('another link', ports.signal);
  }

  /** Throws `IpcError` (`refused_url`, `no_gesture`, `already_asking`, `closing`). */
  async open(url: string, conversationId: string | null, circumstances: Circumstances): Promise<void> {
    const { desktop, googleAccounts } = this.#ports;
    const checked = externalUrl(url);
    needGesture(desktop, circumstances);
    const problem = isOwnAddress(checked) ? null : this.#problemOf(checked, conversationId);
    if (problem === null || (await this.#isConfirmed(checked, conversationId, problem)))
      await desktop.openExternal(inMailbox(checked, await googleAccounts.address('gmail').catch(() => undefined)));
  }

  #problemOf(url: string, conversationId: string | null): LinkProblem | null {
    const { storage, registry } = this.#ports;
    const events = conversationId === null ? [] : storage.events.read(conversationId);
    const mayCompose = (name: string) => {
      const tool = registry.get(name);
      return tool === undefined || tool.access === 'execute' || tool.asksModel;
    };
    const author = linkAuthor(events, url, mayCompose);
    // Who gets the mail and what it says is not in what the page shows of such a link, whoever wrote it.
    if (url.startsWith('mailto:')) return author === 'user' ? null : 'mail_link_not_by_user';
    if (author === 'nobody') return 'link_not_in_conversation';
    const isPrivate = () => marksIn(events).some(({ kind }) => kind === 'private');
    return author === 'model' && isPrivate() ? 'link_by_assistant' : null;
  }

  async #isConfirmed(url: string, conversationId: string | null, code: LinkProblem): Promise<boolean> {
    const { consent, questions, signal } = this.#ports;
    const request = { kind: 'link', id: randomUUID(), reason: { code }, url, conversationId } as const;
    const origin = { conversationId, askedFor: 'user' } as const;
    const { answer } = await this.#question.run(() =>
      questions.run(origin, signal, () => consent.ask(request, signal)),
    );
    return answer === 'allow';
  }
}
