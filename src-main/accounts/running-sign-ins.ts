import { Listeners } from '../base/listeners.ts';
import { asSignInFailure } from './sign-in-failure.ts';
import { SignInFailure, type SignInProblem } from './sign-in-problem.ts';

export interface SignInProgress<Step extends string> {
  /** `undefined` if no sign-in is in progress. */
  readonly step: Step | undefined;
  /** Why the last sign-in failed, until the next one starts. */
  readonly problem: SignInProblem | undefined;
}

/** What one sign-in is given. */
export interface SignInRun<Step extends string> {
  readonly signal: AbortSignal;
  readonly onStep: (step: Step) => void;
}

type SignInWork<Step extends string> = (run: SignInRun<Step>) => Promise<SignInProblem | undefined>;

interface Running {
  readonly done: Promise<void>;
  readonly cancel: () => void;
}

/** The sign-ins in progress, at most one per account, and how the last ones ended. */
export class RunningSignIns<Account extends string, Step extends string> {
  readonly #failureOf: (error: unknown) => SignInFailure;
  readonly #running = new Map<Account, Running>();
  readonly #progress = new Map<Account, SignInProgress<Step>>();
  readonly #listeners = new Listeners();

  /** `failureOf` is for services with errors of their own. */
  constructor(failureOf: (error: unknown) => SignInFailure = asSignInFailure) {
    this.#failureOf = failureOf;
  }

  /** The listener is called on every step of a sign-in. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  progress(account: Account): SignInProgress<Step> {
    return this.#progress.get(account) ?? { step: undefined, problem: undefined };
  }

  isRunning(account: Account): boolean {
    return this.#running.has(account);
  }

  /**
   * Starts a sign-in, or joins the one in progress. `work` resolves to what does not work yet with the account, if
   * anything. Rejects with `SignInFailure`.
   */
  begin(account: Account, work: SignInWork<Step>): Promise<void> {
    const running = this.#running.get(account);
    if (running !== undefined) return running.done;
    const cancelling = new AbortController();
    const done = this.#run(account, work, cancelling.signal).finally(() => this.#running.delete(account));
    // The caller may have stopped waiting.
    done.catch(() => undefined);
    this.#running.set(account, { done, cancel: () => cancelling.abort(new SignInFailure({ code: 'cancelled' })) });
    return done;
  }

  /** Cancels the sign-in in progress, if any. */
  cancel(account: Account): void {
    this.#running.get(account)?.cancel();
  }

  /** Says how an account is doing outside a sign-in. Undefined means that it is well. */
  report(account: Account, problem: SignInProblem | undefined): void {
    this.#set(account, { step: this.progress(account).step, problem });
  }

  /** Cancels everything, including waiting for a browser. */
  async close(): Promise<void> {
    this.#listeners.clear();
    const running = [...this.#running.values()];
    for (const { cancel } of running) cancel();
    await Promise.allSettled(running.map(({ done }) => done));
  }

  async #run(account: Account, work: SignInWork<Step>, signal: AbortSignal): Promise<void> {
    const onStep = (step: Step) => this.#set(account, { step, problem: undefined });
    try {
      const problem = await work({ signal, onStep });
      this.#set(account, { step: undefined, problem });
    } catch (error) {
      const failure = this.#failureOf(error);
      this.#set(account, { step: undefined, problem: failure.problem });
      throw failure;
    }
  }

  #set(account: Account, progress: SignInProgress<Step>): void {
    this.#progress.set(account, progress);
    this.#listeners.tell();
  }
}
