import type { HttpClient } from '../../network/http.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import type { SecretOf } from '../server-environment.ts';
import type { SignInRecords } from './sign-in-records.ts';

/** What signing in to one server takes. */
export interface AccountPorts {
  readonly url: string;
  /** As a person confirmed it. */
  readonly oauth: McpServerConfig['oauth'];
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly records: SignInRecords;
  readonly secretOf: SecretOf;
  /** Held by whoever changes the records, in whichever process. Its folder exists. */
  readonly lockFile: string;
  readonly now: () => number;
}
