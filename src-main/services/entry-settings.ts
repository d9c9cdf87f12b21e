/** A change of a provider or a server that can't be made. `message` is for people. */
export class EntrySettingsError extends Error {
  override readonly name = 'EntrySettingsError';
  readonly code: 'name_taken' | 'bad_provider' | 'unknown_provider' | 'bad_server' | 'undo_expired';

  constructor(code: EntrySettingsError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What is shown of a key or of another secret: enough to tell them apart, too little to be useful to an attacker. */
export function shownEnd(secret: string): string {
  return secret.trim().slice(-4);
}
