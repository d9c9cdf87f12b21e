import type { ServerForm } from '../../../src-preload/contract/servers.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { placeholderParts } from '../../settings/keychain-placeholders.ts';
import { type StoredValues, storedValues } from './server-values.ts';

type OAuth = McpServerConfig['oauth'];

/** The secret is kept in the keychain, beside those of headers. */
const CLIENT_SECRET = 'OAUTH_CLIENT_SECRET';

/**
 * What to store of a registration by hand. Its secret goes to the keychain. Whatever else `before` says about signing
 * in stays. `kept` is the text behind a secret that is `null`.
 */
export function storedRegistration(
  given: ServerForm['registration'],
  { kept = '', before }: { readonly kept?: string | undefined; readonly before?: OAuth },
): Omit<StoredValues, 'written'> & { readonly written: OAuth } {
  if (given === undefined) return { written: before, secrets: new Map(), fromFile: new Set() };
  const { clientId: _id, clientSecret: _secret, callbackPort: _port, ...others } = before ?? {};
  const [clientId, value, port] = [given.clientId.trim(), given.clientSecret, given.callbackPort];
  const hasSecret = (value ?? kept).trim() !== '';
  // A reference to the keychain is how config.json has it, not a key.
  const isSecret = placeholderParts(value ?? '').names.length === 0;
  const line = { name: CLIENT_SECRET, value: value?.trim() ?? null, isSecret, before: '', after: '' };
  const stored = storedValues(hasSecret ? [line] : [], { [CLIENT_SECRET]: kept });
  const secret = stored.written[CLIENT_SECRET];
  const written = {
    ...(clientId === '' ? {} : { clientId }),
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...others,
    ...(port === null ? {} : { callbackPort: port }),
  };
  const { secrets, fromFile } = stored;
  return { written: Object.keys(written).length === 0 ? undefined : written, secrets, fromFile };
}
