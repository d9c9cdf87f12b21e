import type { McpServerConfig } from '../settings/config-schema.ts';

const REFERENCE = /\$\{keychain:([^}]*)\}/g;

/** The names of the keychain entries that a server's configuration refers to, as written. */
export function keychainReferences({
  env,
  headers,
  oauth,
}: Pick<McpServerConfig, 'env' | 'headers' | 'oauth'>): string[] {
  const texts = [...Object.values(env), ...Object.values(headers), ...Object.values(oauth ?? {}).map(String)];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name = '']) => name)))];
}
