import type { McpServerConfig } from './config-schema.ts';
import { onlyPlaceholder } from './keychain-placeholders.ts';

/** Identifies the code that a server runs and its reach. JSON-like. */
export type ServerIdentity =
  | { readonly url: string }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/**
 * What a server's permissions hold for. A local server is its whole command line: an argument names the package, the
 * script or the image for one program, and a folder or `--allow-write` for another. Variables can load code
 * (`NODE_OPTIONS`, `PATH`); those with only a key from the keychain can't. A remote server is its URL, whose query may
 * name the server behind a gateway; headers only say who calls.
 */
export function serverIdentity({ transport, command = '', args, env, url = '' }: McpServerConfig): ServerIdentity {
  if (transport === 'stdio') {
    // What a keychain entry says is entered by the user; an entry in config.json can't choose it.
    const plain = Object.entries(env).filter(([, value]) => onlyPlaceholder(value) === undefined);
    return { command, args, env: Object.fromEntries(plain) };
  }
  if (!URL.canParse(url)) return { url };
  const { origin, pathname, search } = new URL(url);
  return { url: `${origin}${pathname}${search}` };
}
