/** Google's services that Steward can be connected to, each with a grant and a keychain record of its own. */
export const googleServices = ['gmail', 'calendar'] as const;

export type GoogleService = (typeof googleServices)[number];
