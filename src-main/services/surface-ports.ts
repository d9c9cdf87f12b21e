import type { Notice } from '../assistant/turn.ts';
import type { BundledProcess } from '../mcp/transport/bundled-process.ts';
import type { ConsentPort } from '../policy/consent.ts';
import type { QuestionQueues } from '../policy/question-queues.ts';

/** What the surface gives to every part that asks its user, tells them something, or starts a process. */
export interface SurfacePorts {
  readonly consent: ConsentPort;
  /** Shared by everything that asks this user. */
  readonly questions: QuestionQueues;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  /** See `ServicesOptions`. */
  readonly bundled: BundledProcess;
  /** See `ServicesOptions`. */
  readonly openUrl: ((url: string) => Promise<void>) | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly notify: (notice: Notice) => void;
}
