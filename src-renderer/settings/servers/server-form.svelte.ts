import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import type { ServerForm, ShownServer, ShownValue } from '../../../src-preload/contract/servers.ts';

/** A line of the environment or headers. */
export class ValueLine {
  name = $state('');
  /** What was typed; empty with `isKept`: unchanged. */
  value = $state('');
  isSecret = $state(false);
  /** Main keeps a value that is not sent to this page. */
  readonly isKept: boolean;
  readonly before: string;
  readonly after: string;

  constructor({ name, value, isSecret, before, after }: ShownValue = EMPTY_VALUE) {
    this.name = name;
    this.value = value ?? '';
    this.isSecret = isSecret;
    this.isKept = value === null;
    this.before = before;
    this.after = after;
  }

  get given(): ServerForm['env'][number] {
    const { name, isSecret, before, after } = this;
    return { name, value: this.isKept && this.value === '' ? null : this.value, isSecret, before, after };
  }
}

const EMPTY_VALUE: ShownValue = { name: '', value: '', isSecret: false, before: '', after: '' };

export const EMPTY_SERVER: ShownServer = {
  ...{ name: '', transport: 'stdio', command: '', args: [], env: [], url: '', headers: [], parts: [], start: 'eager' },
  ...{ timeoutSeconds: null, foundId: null, remarks: [] },
};

/** What the user fills in. Main decides whether it is valid. */
export class ServerDraft {
  name = $state('');
  transport = $state<ShownServer['transport']>('stdio');
  command = $state('');
  /** One per line. */
  args = $state('');
  env = $state<ValueLine[]>([]);
  url = $state('');
  headers = $state<ValueLine[]>([]);
  start = $state<ShownServer['start']>('eager');
  timeout = $state('');
  readonly remarks: readonly ServerRemark[];
  readonly #foundId: string | null;

  constructor(server: ShownServer = EMPTY_SERVER) {
    this.name = server.name;
    this.transport = server.transport;
    this.command = server.command;
    this.args = server.args.join('\n');
    this.env = server.env.map((value) => new ValueLine(value));
    this.url = server.url;
    this.headers = server.headers.map((value) => new ValueLine(value));
    this.start = server.start;
    this.timeout = server.timeoutSeconds === null ? '' : String(server.timeoutSeconds);
    this.remarks = server.remarks;
    this.#foundId = server.foundId;
  }

  /** Missing fields; nothing is sent until there are none. */
  get problems(): { readonly name?: string; readonly reach?: string; readonly timeout?: string } {
    const isLocal = this.transport === 'stdio';
    const reach = isLocal ? this.command : this.url;
    return {
      ...(this.name.trim() === '' ? { name: 'Give the server a name.' } : {}),
      ...(reach.trim() === '' ? { reach: isLocal ? 'Enter the program to start.' : 'Enter the address.' } : {}),
      ...(this.#seconds === undefined ? { timeout: 'Enter a number of seconds, or leave it empty.' } : {}),
    };
  }

  get form(): ServerForm {
    const { name, transport, command, url, start } = this;
    // A blank last line is the end of the text, not an argument.
    const lines = this.args.replace(/\n+$/, '').split('\n');
    const args = this.args.trim() === '' ? [] : lines;
    const env = this.env.map((line) => line.given);
    const headers = this.headers.map((line) => line.given);
    return {
      ...{ name, transport, command, args, env, url, headers, start },
      ...{ timeoutSeconds: this.#seconds ?? null, foundId: this.#foundId },
    };
  }

  /** `null` if empty; `undefined` if it is not a number. */
  get #seconds(): number | null | undefined {
    const written = this.timeout.trim();
    if (written === '') return null;
    const seconds = Number(written);
    return seconds > 0 && seconds <= 86_400 ? seconds : undefined;
  }
}
