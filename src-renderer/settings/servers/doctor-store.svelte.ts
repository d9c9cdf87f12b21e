import type { DoctorStep } from '../../../src-preload/contract/server-doctor.ts';
import { type Bridge, RequestFailed, sentenceOf } from '../../ui/bridge.ts';

/** One server's examination, with its steps as they finish. */
export class DoctorStore {
  readonly server: string;
  steps = $state.raw<readonly DoctorStep[]>([]);
  isRunning = $state(false);
  failure = $state<string | null>(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge, server: string) {
    this.#bridge = bridge;
    this.server = server;
  }

  /** Receives steps until the returned function is called. */
  start(): () => void {
    return this.#bridge.on('doctorStep', ({ server, step }) => {
      if (server === this.server && this.isRunning) this.steps = [...this.steps, step];
    });
  }

  async examine(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.steps = [];
    this.failure = null;
    try {
      const { steps } = await this.#bridge.request('serverDiagnostics.examine', { server: this.server });
      this.steps = steps;
    } catch (error) {
      // Another examination has replaced this one.
      if (!(error instanceof RequestFailed && error.code === 'superseded')) this.failure = sentenceOf(error);
    } finally {
      this.isRunning = false;
    }
  }
}
