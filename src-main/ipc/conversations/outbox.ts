import type { outbox } from '../../../src-preload/contract/outbox.ts';
import type { Services } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';

export interface OutboxPorts {
  readonly services: Pick<Services, 'outbox'>;
  readonly desktop: Pick<Desktop, 'takeGesture'>;
}

export function outboxHandlers({ services, desktop }: OutboxPorts): Handlers<typeof outbox> {
  return {
    undo: ({ mail }) => ({ isDone: services.outbox.undo(mail) }),

    sendNow: ({ mail }, circumstances) => {
      needGesture(desktop, circumstances);
      return { isDone: services.outbox.sendNow(mail) };
    },
  };
}
