import type { WhatRuns } from '../../processes/what-runs.ts';
import type { Services } from '../../services.ts';

/** What would be stopped with the window. `running`: ids of the conversations that are being answered. */
export function whatRuns(
  { leftRunning, outbox, storage }: Services,
  running: readonly string[],
  questions: number,
): WhatRuns {
  const programs = leftRunning.list().flatMap((each) => each.programs.map(({ command }) => command));
  const answering = running.map((id) => ({ id, title: storage.conversations.get(id)?.title ?? '' }));
  const { canBeLeft } = leftRunning;
  return { commands: leftRunning.commands(), programs, canBeLeft, answering, mails: outbox.waiting, questions };
}
