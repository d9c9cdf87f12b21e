import type { conversations, UndoResult } from '../../../src-preload/contract/conversations.ts';
import type { LiveEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { Listener } from '../../assistant/conversation-log.ts';
import type { UndoChoice, UndoOutcome } from '../../assistant/undo/undo.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handlers.ts';
import { OneQuestion } from '../one-question.ts';
import { existingConversation } from './conversation-view.ts';
import { shownEvent } from './shown-event.ts';
import type { Turns } from './turns.ts';

export interface UndoPorts {
  readonly services: Pick<Services, 'storage' | 'registry' | 'undo' | 'review'>;
  readonly turns: Pick<Turns, 'refuseIfRunning'>;
  /** A question may follow soon. */
  readonly onTurnBegins: () => void;
  readonly sendEvents: (events: AppEvents['turn']) => void;
  /** Cancels the questions when the window closes. */
  readonly signal: AbortSignal;
}

/** Undoes what calls changed, or makes it again. Resolves with null if the user declined. Only one runs at a time. */
export function undoAndRedo({ services, turns, onTurnBegins, sendEvents, signal }: UndoPorts) {
  const question = new OneQuestion('another undo', signal);
  async function carryOut(
    conversationId: string,
    run: (ports: { readonly signal: AbortSignal; readonly listener: Listener }) => Promise<UndoOutcome>,
  ): Promise<UndoResult | null> {
    existingConversation(services, conversationId);
    turns.refuseIfRunning(conversationId);
    const listener = (event: StoredEvent | LiveEvent) => {
      if ('seq' in event) sendEvents({ conversationId, events: [shownEvent(event, services.registry)] });
    };
    const outcome = await question.run(() => {
      onTurnBegins();
      return run({ signal, listener });
    });
    if (outcome.kind === 'declined') return null;
    const { kind: _, ...result } = outcome;
    return result;
  }
  return {
    undo: (choice: UndoChoice) => carryOut(choice.conversationId, (ports) => services.undo.run(choice, ports)),
    redo: (choice: Omit<UndoChoice, 'turnId'>) =>
      carryOut(choice.conversationId, (ports) => services.undo.redo(choice, ports)),
  };
}

/** The review of files that were changed after text from outside was read. */
export function reviewHandlers({
  services,
  onTurnBegins,
  signal,
}: Pick<UndoPorts, 'services' | 'onTurnBegins' | 'signal'>): Pick<Handlers<typeof conversations>, 'review'> {
  const question = new OneQuestion('these files already', signal);
  return {
    review: async () => {
      const outcome = await question.run(() => {
        onTurnBegins();
        return services.review.run(signal);
      });
      return { reviewed: outcome.kind === 'reviewed' ? outcome.paths.length : 0 };
    },
  };
}
