import type { Blank, ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import type {
  ServerForm,
  ServerPart,
  ShownRegistration,
  ShownServer,
  ShownValue,
} from '../../../src-preload/contract/servers.ts';
import { argumentLines, argumentsIn, linesOf, movedLine } from './argument-text.ts';

/** A value that can be entered: of a variable, a header, or a part of an argument or the address. */
class EnteredValue {
  /** What was typed. If it is empty with `isKept`, the value is unchanged. */
  value = $state('');
  /** Main keeps a value that is not sent to this page. */
  readonly isKept: boolean;
  readonly before: string;
  readonly after: string;
  /** The placeholder that the value stands for. */
  readonly blank: Blank | undefined;

  constructor({ value, before, after, blank }: ShownValue) {
    this.value = value ?? '';
    this.isKept = value === null;
    this.before = before;
    this.after = after;
    this.blank = blank;
  }

  get isEmpty(): boolean {
    return this.value === '' && !this.isKept;
  }

  get isMissing(): boolean {
    return this.blank !== undefined && !this.blank.isOptional && this.isEmpty;
  }

  /** The server works without it, so it is not written at all. */
  get isLeftOut(): boolean {
    return this.blank?.isOptional === true && this.isEmpty;
  }

  /** Null keeps the value that main has. */
  get given(): string | null {
    return this.isKept && this.value === '' ? null : this.value;
  }
}

/** Steward as it was registered by hand at a service. */
export class RegistrationFields {
  clientId = $state('');
  readonly secret: EnteredValue;
  port = $state('');
  /** The line was there before. */
  readonly isGiven: boolean;

  constructor(shown: ShownRegistration | undefined) {
    this.clientId = shown?.clientId ?? '';
    this.secret = new EnteredValue({ ...EMPTY_VALUE, value: shown === undefined ? '' : shown.clientSecret });
    this.port = String(shown?.callbackPort ?? '');
    this.isGiven = shown !== undefined;
  }

  /** Undefined if the text is not a port. */
  get callbackPort(): number | null | undefined {
    const written = this.port.trim();
    if (written === '') return null;
    const port = Number(written);
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
  }

  get given(): ServerForm['registration'] {
    const { clientId, secret, callbackPort = null } = this;
    const given = { clientId, clientSecret: secret.given, callbackPort };
    return this.isGiven || clientId !== '' || given.clientSecret !== '' || callbackPort !== null ? given : undefined;
  }
}

/** A line of the environment or headers. */
export class ValueLine extends EnteredValue {
  name = $state('');
  isSecret = $state(false);
  #isChosen = false;

  constructor(shown: ShownValue = EMPTY_VALUE) {
    super(shown);
    this.name = shown.name;
    this.isSecret = shown.isSecret;
  }

  /** Chooses for the user, so that main no longer judges what is typed. */
  choose(isSecret: boolean): void {
    this.isSecret = isSecret;
    this.#isChosen = true;
  }

  get line(): ServerForm['env'][number] {
    const { name, given: value, isSecret, before, after } = this;
    return { name, value, isSecret, before, after, ...(this.#isChosen ? { isChosen: true } : {}) };
  }
}

/** A part of an argument or of the address. What is typed appears there too, unless it is a key. */
export class PartLine extends EnteredValue {
  readonly name: string;
  readonly place: ServerPart['place'];
  readonly isSecret: boolean;
  /** The line of the arguments, or undefined if it was edited away. */
  line = $state<number>();

  constructor(part: ServerPart, line: number) {
    super(part);
    this.name = part.name;
    this.place = part.place;
    this.isSecret = part.isSecret;
    this.line = line;
  }

  /** The text as it stands in the arguments or the address. */
  get text(): string {
    return `${this.before}${this.isSecret ? `\${keychain:${this.name}}` : this.value}${this.after}`;
  }

  /** Takes the value out of an edited text. Returns false if that is another text now. */
  read(text: string): boolean {
    const { before, after, isSecret } = this;
    if (isSecret) return text === this.text;
    if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return false;
    this.value = text.slice(before.length, text.length - after.length);
    return true;
  }
}

const EMPTY_VALUE: ShownValue = { name: '', value: '', isSecret: false, before: '', after: '' };

export const EMPTY_SERVER: ShownServer = {
  name: '',
  transport: 'stdio',
  command: '',
  args: [],
  env: [],
  url: '',
  headers: [],
  parts: [],
  start: 'eager',
  timeoutSeconds: null,
  foundId: null,
  remarks: [],
};

/** A value to fill in, and what to call it. */
export interface BlankField {
  readonly label: string;
  readonly of: ValueLine | PartLine;
  readonly blank: Blank;
}

/** What the user fills in. Main decides whether it is valid. */
export class ServerDraft {
  name = $state('');
  transport = $state<ShownServer['transport']>('stdio');
  command = $state('');
  env = $state<ValueLine[]>([]);
  headers = $state<ValueLine[]>([]);
  start = $state<ShownServer['start']>('eager');
  timeout = $state('');
  readonly parts: readonly PartLine[];
  readonly registration: RegistrationFields;
  readonly remarks: readonly ServerRemark[];
  readonly #foundId: string | null;
  #args = $state('');
  #url = $state('');

  constructor(server: ShownServer = EMPTY_SERVER) {
    this.name = server.name;
    this.transport = server.transport;
    this.command = server.command;
    this.env = server.env.map((value) => new ValueLine(value));
    this.headers = server.headers.map((value) => new ValueLine(value));
    this.registration = new RegistrationFields(server.registration);
    this.start = server.start;
    this.timeout = server.timeoutSeconds === null ? '' : String(server.timeoutSeconds);
    this.remarks = server.remarks;
    this.#foundId = server.foundId;
    this.parts = server.parts.map((part) => new PartLine(part, part.index));
    this.#args = argumentLines(server.args);
    this.#url = server.url;
    for (const part of this.parts) this.#write(part);
  }

  /** The arguments, one on each line. */
  get args(): string {
    return this.#args;
  }

  set args(text: string) {
    const [before, after] = [linesOf(this.#args), linesOf(text)];
    this.#args = text;
    for (const part of this.#partsIn('args')) {
      const line = part.line === undefined ? undefined : movedLine(before, after, part.line);
      part.line = line !== undefined && part.read(after[line] ?? '') ? line : undefined;
    }
  }

  get url(): string {
    return this.#url;
  }

  set url(text: string) {
    this.#url = text;
    for (const part of this.#partsIn('url')) if (!part.read(text)) part.line = undefined;
  }

  fill(field: ValueLine | PartLine, value: string): void {
    field.value = value;
    if (field instanceof PartLine) this.#write(field);
  }

  /** The blank fields in the order of the form. */
  get blanks(): readonly BlankField[] {
    const isLocal = this.transport === 'stdio';
    const parts = this.#partsIn(isLocal ? 'args' : 'url');
    const lines = isLocal ? this.env : this.headers;
    return [
      ...parts.map((of) => ({ label: this.#labelOf(of), of, blank: of.blank })),
      ...lines.map((of) => ({ label: of.name, of, blank: of.blank })),
    ].flatMap(({ blank, ...field }) => (blank === undefined ? [] : [{ ...field, blank }]));
  }

  /** Keys in the arguments that are there already. */
  get keys(): readonly PartLine[] {
    if (this.transport !== 'stdio') return [];
    return this.#partsIn('args').filter(({ isSecret, blank }) => isSecret && blank === undefined);
  }

  get missing(): readonly BlankField[] {
    return this.blanks.filter(({ of }) => of.isMissing);
  }

  /** Missing fields; nothing is sent until there are none. */
  get problems(): {
    readonly name?: string;
    readonly reach?: string;
    readonly timeout?: string;
    readonly port?: string;
  } {
    const isLocal = this.transport === 'stdio';
    const reach = isLocal ? this.command : this.url;
    return {
      ...(this.name.trim() === '' ? { name: 'Give the server a name.' } : {}),
      ...(reach.trim() === '' ? { reach: isLocal ? 'Enter the program to start.' : 'Enter the address.' } : {}),
      ...(!isLocal && this.registration.callbackPort === undefined
        ? { port: 'Enter a port from 1 to 65535, or leave it empty.' }
        : {}),
      ...(this.#seconds === undefined ? { timeout: 'Enter a number of seconds, or leave it empty.' } : {}),
    };
  }

  get form(): ServerForm {
    const { name, transport, command, url, start } = this;
    const parts = this.#partsIn('args');
    const leftOut = parts.filter(({ isLeftOut }) => isLeftOut).flatMap(({ line }) => line ?? []);
    const keys = parts.filter(({ isSecret, isLeftOut }) => isSecret && !isLeftOut);
    const registration = transport === 'stdio' ? undefined : this.registration.given;
    return {
      name,
      transport,
      command,
      args: argumentsIn(this.#args, new Set(leftOut)),
      url,
      start,
      keys: keys.map((part) => ({ name: part.name, value: part.given })),
      env: this.env.filter(({ isLeftOut }) => !isLeftOut).map(({ line }) => line),
      headers: this.headers.filter(({ isLeftOut }) => !isLeftOut).map(({ line }) => line),
      ...(registration === undefined ? {} : { registration }),
      timeoutSeconds: this.#seconds ?? null,
      foundId: this.#foundId,
    };
  }

  #partsIn(place: PartLine['place']): readonly PartLine[] {
    return this.parts.filter((part) => part.place === place && part.line !== undefined);
  }

  /** An option says what follows it. */
  #labelOf({ name, place, line }: PartLine): string {
    if (name !== '') return name;
    if (place === 'url') return 'Address';
    const option = linesOf(this.#args)[(line ?? 0) - 1];
    return option?.startsWith('-') === true ? option : `Argument ${(line ?? 0) + 1}`;
  }

  #write(part: PartLine): void {
    if (part.line === undefined) return;
    if (part.place === 'url') {
      this.#url = part.text;
      return;
    }
    const lines = [...linesOf(this.#args)];
    lines[part.line] = part.text;
    this.#args = lines.join('\n');
  }

  /** `null` if empty; `undefined` if it is not a number. */
  get #seconds(): number | null | undefined {
    const written = this.timeout.trim();
    if (written === '') return null;
    const seconds = Number(written);
    return seconds > 0 && seconds <= 86_400 ? seconds : undefined;
  }
}
