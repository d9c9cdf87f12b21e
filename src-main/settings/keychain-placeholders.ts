import type { McpServerConfig } from './config-schema.ts';

/** Matches what stands, in a value of an MCP server's entry, for the keychain entry `Steward/mcp/{server}/NAME`. */
const PLACEHOLDER = /\$\{keychain:([^}]*)\}/;

/** A text cut at its placeholders: `texts[0]`, `names[0]`, `texts[1]`, … */
export interface PlaceholderParts {
  /** One more than there are names. */
  readonly texts: readonly string[];
  /** The names as written, even if no keychain entry can have them. */
  readonly names: readonly string[];
}

export function placeholderParts(text: string): PlaceholderParts {
  // The expression has a group, so texts and names alternate.
  const parts = text.split(PLACEHOLDER);
  return {
    texts: parts.filter((_part, index) => index % 2 === 0),
    names: parts.filter((_part, index) => index % 2 === 1),
  };
}

export function keychainPlaceholder(name: string): string {
  return `\${keychain:${name}}`;
}

/** The name if the text is nothing but one placeholder. */
export function onlyPlaceholder(text: string): string | undefined {
  const { texts, names } = placeholderParts(text);
  return names.length === 1 && texts.every((each) => each === '') ? names[0] : undefined;
}

/** The names, each once, in all texts of a JSON-like value, such as an entry in config.json that is not valid. */
export function keychainNamesIn(value: unknown): readonly string[] {
  return [...new Set(namesIn(value))];
}

/** The names, each once, that are looked up when the server is started or contacted. */
export function keychainReferences({
  args,
  env,
  headers,
  oauth,
}: Pick<McpServerConfig, 'args' | 'env' | 'headers' | 'oauth'>): readonly string[] {
  return keychainNamesIn([args, env, headers, oauth]);
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return placeholderParts(value).names;
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}
