import type { HttpClient } from '../../network/http.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import type { SecretOf } from '../transport/server-environment.ts';
import type { SignInRecords } from './sign-in-records.ts';

/** What signing in to a server needs. */
export interface AccountPorts {
  readonly url: string;
  /** The settings as the user confirmed them. */
  readonly oauth: McpServerConfig['oauth'];
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly records: SignInRecords;
  readonly secretOf: SecretOf;
  /** It is locked while the records change, across processes. Its folder exists. */
  readonly lockFile: string;
  readonly now: () => number;
}
