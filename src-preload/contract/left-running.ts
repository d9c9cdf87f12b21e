/** Programs that continue after the call that started them has ended, or that were started in the background. */
export interface LeftRunning {
  /** Valid only in the Steward process that started it. */
  readonly id: string;
  /** A shell in the background, or programs it left running. */
  readonly inBackground: boolean;
  readonly programs: readonly {
    readonly pid: number;
    /** The start of its command line, with anything that looks like a secret removed. */
    readonly command: string;
  }[];
}
