/** What goes on although the call that started it has ended, or that was started to run in the background. */
export interface LeftRunning {
  /** Means something to the process of Steward that started it, as long as it runs. */
  readonly id: string;
  /** A shell in the background, or what it left. */
  readonly inBackground: boolean;
  readonly programs: readonly {
    readonly pid: number;
    /** The beginning of its command line, without what looks like a secret. */
    readonly command: string;
  }[];
}
