import type { conversations } from '../../../src-preload/contract/conversations.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handlers.ts';
import { reviewHandlers, type UndoPorts, undoAndRedo } from './changes.ts';
import { existingConversation } from './conversation-view.ts';
import type { LinkOpener } from './link-opener.ts';
import { type ListPorts, listHandlers } from './list-handlers.ts';
import { type ResultPorts, resultHandlers } from './result-handlers.ts';
import { type TrashPorts, trashHandlers } from './trash.ts';
import { type TurnPorts, turnHandlers } from './turn-handlers.ts';
import type { Turns } from './turns.ts';

export interface ConversationPorts
  extends Omit<TurnPorts, 'undo' | 'desktop'>,
    Pick<UndoPorts, 'sendEvents'>,
    Pick<ListPorts, 'onListChanged'> {
  readonly services: Services;
  readonly turns: Turns;
  readonly desktop: TurnPorts['desktop'] & ListPorts['desktop'] & ResultPorts['desktop'] & TrashPorts['desktop'];
  readonly links: LinkOpener;
}

export function conversationHandlers(ports: ConversationPorts): Handlers<typeof conversations> {
  const { services, links } = ports;
  const { undo, redo } = undoAndRedo(ports);
  return {
    ...listHandlers(ports),
    ...trashHandlers(ports),
    ...turnHandlers({ ...ports, undo }),
    ...resultHandlers(ports),
    ...reviewHandlers(ports),
    undo: ({ id, ...choice }) => undo({ conversationId: id, ...choice }),
    redo: ({ id, callId }) => redo({ conversationId: id, callId }),
    changeOf: ({ id, callId, path }) =>
      services.undo.changeOf({ conversationId: existingConversation(services, id).id, callId, path }),
    openLink: async ({ id, url }, circumstances) => {
      await links.open(url, id === null ? null : existingConversation(services, id).id, circumstances);
      return null;
    },
  };
}
