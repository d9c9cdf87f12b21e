import { changesText } from '../../../src-preload/contract/changes-text.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { Desktop } from '../desktop-port.ts';

export interface MassDeletionPorts {
  readonly desktop: Pick<Desktop, 'isInFront' | 'notifySystem'>;
  readonly titleOf: (conversationId: string) => string | null;
}

/** Tells a user who is elsewhere that a command deleted many files, before they are gone in other places, too. */
export async function notifyOfMassDeletion(event: StoredEvent, { desktop, titleOf }: MassDeletionPorts): Promise<void> {
  if (event.type !== 'changes' || event.massDeleted === undefined || desktop.isInFront()) return;
  const title = titleOf(event.conversationId);
  const where = title === null ? '' : `\nIn the conversation “${title}”`;
  await desktop.notifySystem('A command deleted many files', `${changesText(event)}${where}`);
}
