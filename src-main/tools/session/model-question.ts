/** A question to the model of another provider. */
export interface ModelQuestion {
  /** Its name in config.json. */
  readonly provider: string;
  /** Its base URL, as the policy was told. */
  readonly address: string;
  readonly prompt: string;
  /** Limit for each answer, at least 1. */
  readonly maxTokens: number;
}
