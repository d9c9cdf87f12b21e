/** What a text leaves for the user to enter, in place of a placeholder. An empty value means that it is missing. */
export interface Blank {
  /**
   * The placeholder as written: `<YOUR_TOKEN>`, `${GITHUB_TOKEN}`, `/path/to/repo`. A reference to an input is its id.
   */
  readonly hint: string;
  /** What the text says of it, or null if it says nothing. */
  readonly description: string | null;
  /** The server works without it. An empty optional value is not written. */
  readonly isOptional: boolean;
  /** The values that it can have. Empty if it can have any. */
  readonly choices: readonly string[];
}

/** What kind of text a set-up was read from. */
export type PasteFormat =
  | 'json'
  | 'vscode'
  | 'codex'
  | 'opencode'
  | 'zed'
  | 'goose'
  | 'continue'
  | 'yaml'
  | 'server-json'
  | 'link'
  | 'command'
  | 'add-command'
  | 'address';

/**
 * What the user should know of a server that was read. `approval`: "always allow" of another program is not taken over.
 * `disabled`: it is switched off there. `left_out`: a key, option or line that has no meaning here. `key_in_argument`:
 * other programs of the computer can read it. `key_in_address`: it can't be kept in the keychain. `relative_path`: of
 * an argument that depends on a working folder or a shell. `env_file`: variables in a file that was not read.
 * `old_transport`: guessed from the address. `time_out`: `written` was taken as milliseconds. `project`: it belongs to
 * one folder in the other program. `shell`: only a shell understands it. `hidden_character`: the text has characters
 * that can't be seen. `mixed_alphabets`: a word that starts something, or an address, mixes letters that look alike.
 */
export type ServerRemark =
  | { readonly code: 'approval' | 'disabled' | 'old_transport' | 'hidden_character' }
  | { readonly code: 'left_out'; readonly key: string }
  | { readonly code: 'key_in_argument' | 'key_in_address'; readonly name: string }
  | { readonly code: 'relative_path' | 'shell' | 'mixed_alphabets'; readonly text: string }
  | { readonly code: 'env_file' | 'project'; readonly path: string }
  | { readonly code: 'time_out'; readonly written: number; readonly seconds: number };

/**
 * Why an entry is not a server. With `no_reach`, it has neither a command nor a URL. With `bad_url`, its URL is neither
 * http nor https.
 */
export interface UnreadEntry {
  /** The name as written, which may be empty. */
  readonly name: string;
  readonly code: 'no_reach' | 'not_an_object' | 'bad_url' | 'other_program' | 'unknown_package' | 'too_many';
  /** The URL, program or kind of package that is meant; empty if the code says it all. */
  readonly text: string;
}

/**
 * Why no server was found in a text. Positions are 1-based, in the text as pasted. `bad_syntax`: recognised as
 * `format`, but not readable. `bad_entries`: there are entries, but none is a server. `other_program`: a command of
 * `program` that changes other programs' settings and does not say what the server is. `only_installs`: a command that
 * installs or builds something and starts no server. `too_long`: longer than any set-up.
 */
export type PasteProblem =
  | {
      readonly code:
        | 'empty'
        | 'not_an_object'
        | 'no_servers'
        | 'unclosed_quote'
        | 'bad_link'
        | 'unknown_link'
        | 'too_long';
    }
  | { readonly code: 'bad_json'; readonly line: number; readonly column: number; readonly reason: string }
  | {
      readonly code: 'bad_syntax';
      readonly format: PasteFormat;
      readonly line: number;
      readonly column: number;
      readonly reason: string;
    }
  | { readonly code: 'bad_entries'; readonly entries: readonly UnreadEntry[] }
  | { readonly code: 'other_program' | 'only_installs'; readonly program: string; readonly line: number };
