const UNCHECKED = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * With this variable Node accepts every certificate, so whoever is between could read keys and messages. It is removed,
 * also for all programs that this process starts. Returns what to tell the user. Source:
 * https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue
 */
export function keepCertificateChecks(environment: NodeJS.ProcessEnv): string | undefined {
  if (environment[UNCHECKED] !== '0') return undefined;
  delete environment[UNCHECKED];
  return `${UNCHECKED}=0 is ignored: Steward checks the certificate of every server.`;
}
