import type { Surface } from '../../../src-preload/contract/route.ts';
import type { ShownQuestion } from '../../policy/consent-surface.ts';
import type { StartUtility } from '../../processes/utility-process.ts';
import type { UpdateProgram } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import type { SessionLogPort } from './window-log.ts';

export interface WindowAssistantOptions {
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly desktop: Desktop;
  readonly log: SessionLogPort;
  /** Aborts when the app ends. */
  readonly signal: AbortSignal;
  readonly send: (surface: Surface, name: string, data: unknown) => void;
  /** A question may follow soon. */
  readonly prepareConsent: () => void;
  /** `shown` is null if there is no question. */
  readonly showConsent: (shown: ShownQuestion | null) => void;
  /** The heights that the two surfaces report, each in its own CSS pixels. */
  readonly onComposerHeight: (height: number, room: number | undefined) => void;
  readonly onQuestionHeight: (id: string, height: number) => void;
  readonly onMessageField: (isFree: boolean) => void;
  /** See `ServicesOptions`. */
  readonly startUtility?: StartUtility;
  /** See `ServicesOptions`. */
  readonly updateProgram?: UpdateProgram;
  /** When to load and start the services, which blocks this thread. Without this, it happens immediately. */
  readonly startAfter?: Promise<void>;
}
