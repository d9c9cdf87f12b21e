import type { desktopTools } from '../../../src-preload/contract/desktop-tools.ts';
import type { Clients, ConversationClients } from '../../client-tools/conversation-clients.ts';
import type { MessageConsent } from '../../policy/message-consent.ts';
import { MessageOrigins } from '../conversations/message-origin.ts';
import type { Desktop } from '../desktop-port.ts';
import type { Handlers } from '../handlers.ts';
import { desktopGroup } from './desktop-group.ts';
import { DesktopHost, type DesktopHostPorts } from './desktop-host.ts';
import { ModelAnswers } from './model-answers.ts';

export interface DesktopToolsPorts extends Omit<DesktopHostPorts, 'answer' | 'desktop'> {
  readonly clients: Clients;
  /** The window's tools could not be offered. */
  readonly onFault: (error: unknown) => void;
  readonly desktop: DesktopHostPorts['desktop'] & Pick<Desktop, 'takeSending' | 'writing'>;
  /** Asks about an answer that main did not see a user write. */
  readonly messageConsent: MessageConsent;
  /** Aborts when the window closes. */
  readonly signal: AbortSignal;
}

/** The window's own tools in every conversation that it answers in. */
export class DesktopTools {
  readonly #ports: DesktopToolsPorts;
  /** Each host lives as long as the conversation's clients are in use. */
  readonly #hosts = new WeakMap<ConversationClients, DesktopHost>();

  constructor(ports: DesktopToolsPorts) {
    this.#ports = ports;
  }

  /** Offers the tools before a turn. It goes on without them if they can't be offered. */
  async offerIn(conversationId: string): Promise<void> {
    const clients = this.#ports.clients.of(conversationId);
    const known = this.#hosts.get(clients);
    if (known !== undefined) return known.turnStarts();
    const host = new DesktopHost(conversationId, {
      ...this.#ports,
      answer: (response, from) => clients.answer(response, from),
    });
    try {
      await clients.register({ clientToolGroups: [desktopGroup()], resetClientState: false }, host);
      this.#hosts.set(clients, host);
    } catch (error) {
      this.#ports.onFault(error);
    }
  }

  handlers(): Handlers<typeof desktopTools> {
    const { questions, desktop, messageConsent, signal } = this.#ports;
    const origins = new MessageOrigins({ desktop, consent: messageConsent, signal });
    const answers = new ModelAnswers({ desktop, questions, origins });
    return {
      answer: async (given, circumstances) => ({ isOpen: await answers.give(given, circumstances) }),
      // Needs no click: it only keeps something back.
      dismiss: ({ id }) => ({ isOpen: questions.dismiss(id) }),
    };
  }
}
