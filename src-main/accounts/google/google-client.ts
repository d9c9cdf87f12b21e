import type { ClientFlaw } from './google-problem.ts';

/** The OAuth client that the user made in Google Cloud. */
export interface GoogleClient {
  readonly id: string;
  readonly secret: string;
}

const ID_ENDING = '.apps.googleusercontent.com';
const SECRET_START = 'GOCSPX-';
const API_KEY = /^AIza[\w-]{30,}$/;
/** Secrets of clients made before 2021 have 24 characters and no prefix. */
const SECRET = /^(?:GOCSPX-)?[\w-]{20,}$/;

/** What looks wrong about a client id, or undefined if nothing does. */
export function clientIdFlaw(id: string): ClientFlaw | undefined {
  if (id.startsWith(SECRET_START)) return 'id_is_secret';
  if (API_KEY.test(id)) return 'id_is_api_key';
  return /^[\w.-]+$/.test(id) && id.length > ID_ENDING.length && id.endsWith(ID_ENDING) ? undefined : 'id_ending';
}

/** What looks wrong about a client secret, or undefined if nothing does. */
export function clientSecretFlaw(secret: string): ClientFlaw | undefined {
  if (secret.endsWith(ID_ENDING)) return 'secret_is_id';
  if (API_KEY.test(secret)) return 'secret_is_api_key';
  return SECRET.test(secret) ? undefined : 'secret_form';
}
