import { isRecord, parsedJson } from '../base/json.ts';

/** JSON of printable ASCII, which is all that a keychain entry can hold. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Empty for a text that Steward has not written, so that there is no sign-in. */
export function parsedRecord(text: string | undefined): Readonly<Record<string, unknown>> {
  const value = parsedJson(text ?? '{}');
  return isRecord(value) ? value : {};
}
