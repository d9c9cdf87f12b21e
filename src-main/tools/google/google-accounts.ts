import type { GoogleService } from '../../accounts/google/google-service.ts';

/** The user's Google accounts. */
export interface GoogleAccounts {
  /** Resolves with the signed-in user's mail address, if it is known. Makes no request. */
  address(service: GoogleService): Promise<string | undefined>;
  /**
   * Resolves with an access token. If there is no sign-in, the user is asked and signs in through the browser, and the
   * call's clock pauses. `rejected` is a token that the service has just answered with 401; it is renewed. With
   * `isQuiet` it rejects instead of asking. `onBrowser` is called once the browser is open and Steward waits for the
   * user there. Rejects with `SignInFailure`.
   */
  token(
    service: GoogleService,
    options: {
      readonly tool: string;
      readonly signal: AbortSignal;
      readonly rejected?: string;
      readonly isQuiet?: boolean;
      readonly onBrowser?: () => void;
    },
  ): Promise<string>;
}
