/**
 * Marshalling of the few D-Bus types that the Secret Service needs. Source: D-Bus specification, "Marshaling" and
 * "Message Protocol". Values: y, u → number; b → boolean; s, o, g → string; v → its value; a, () and dict entries →
 * arrays.
 */
export interface BusMessage {
  readonly type: number;
  readonly serial: number;
  readonly fields: ReadonlyMap<number, unknown>;
  readonly body: readonly unknown[];
}

export const MessageType = { call: 1, reply: 2, error: 3, signal: 4 } as const;
export const Field = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  signature: 8,
} as const;

const fieldTypes: Readonly<Record<number, string>> = { 1: 'o', 2: 's', 3: 's', 4: 's', 5: 'u', 6: 's', 8: 'g' };
const alignments: Readonly<Record<string, number>> = { y: 1, g: 1, v: 1, '(': 8, '{': 8 };
/** The specification's own limit is 128 MiB; no message here comes close. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export function encodeCall(serial: number, fields: ReadonlyMap<number, string>, body: readonly unknown[]): Buffer {
  const bodyWriter = new Writer();
  for (const [index, type] of splitTypes(fields.get(Field.signature) ?? '').entries())
    bodyWriter.write(type, body[index]);
  const writer = new Writer();
  for (const byte of [0x6c, MessageType.call, 0, 1]) writer.write('y', byte);
  writer.write('u', bodyWriter.bytes.length);
  writer.write('u', serial);
  writer.writeArray(
    '(yv)',
    [...fields].map(([code, value]) => ({ code, value })),
    ({ code, value }) => {
      writer.align(8);
      writer.write('y', code);
      writer.write('g', fieldTypes[code] ?? 's');
      writer.write(fieldTypes[code] ?? 's', value);
    },
  );
  writer.align(8);
  return Buffer.from([...writer.bytes, ...bodyWriter.bytes]);
}

/**
 * The first whole message in `bytes` and its length, or `undefined` while it is incomplete. Throws if it is malformed.
 */
export function decodeMessage(bytes: Buffer): { readonly message: BusMessage; readonly length: number } | undefined {
  if (bytes.length < 16) return undefined;
  const reader = new Reader(bytes, bytes[0] === 0x6c);
  const type = Number(bytes[1]);
  reader.at = 4;
  const bodyLength = Number(reader.read('u'));
  const serial = Number(reader.read('u'));
  const fieldsLength = Number(reader.read('u'));
  const bodyStart = 16 + fieldsLength + ((8 - (fieldsLength % 8)) % 8);
  const length = bodyStart + bodyLength;
  if (length > MAX_MESSAGE_BYTES) throw new RangeError('a D-Bus message is too large');
  if (bytes.length < length) return undefined;
  reader.at = 12;
  const fields = new Map<number, unknown>();
  for (const entry of asArray(reader.read('a(yv)'))) {
    const [code, value] = asArray(entry);
    fields.set(Number(code), value);
  }
  reader.at = bodyStart;
  const signature = fields.get(Field.signature);
  const body = splitTypes(typeof signature === 'string' ? signature : '').map((single) => reader.read(single));
  return { message: { type, serial, fields, body }, length };
}

export function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a D-Bus message has another shape than expected');
  return value;
}

/** `sa{ss}o` → `s`, `a{ss}`, `o`. */
function splitTypes(signature: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const start = at;
    while (signature[at] === 'a') at++;
    let depth = 0;
    do {
      if ('({'.includes(signature.charAt(at))) depth++;
      else if (')}'.includes(signature.charAt(at))) depth--;
      at++;
    } while (depth > 0 && at < signature.length);
    types.push(signature.slice(start, at));
  }
  return types;
}

function alignmentOf(type: string): number {
  return alignments[type.charAt(0)] ?? 4;
}

class Writer {
  readonly bytes: number[] = [];

  align(boundary: number): void {
    while (this.bytes.length % boundary !== 0) this.bytes.push(0);
  }

  write(type: string, value: unknown): void {
    this.align(alignmentOf(type));
    if (type === 'y') this.bytes.push(Number(value));
    else if (type === 'u') this.#uint32(Number(value));
    else if (type === 'b') this.#uint32(value === true ? 1 : 0);
    else if (type === 'g') this.bytes.push(Buffer.byteLength(String(value)), ...Buffer.from(String(value)), 0);
    else if (type === 's' || type === 'o') {
      this.#uint32(Buffer.byteLength(String(value)));
      this.bytes.push(...Buffer.from(String(value)), 0);
    } else if (type.startsWith('a'))
      this.writeArray(type.slice(1), asArray(value), (item) => this.write(type.slice(1), item));
    else for (const [index, inner] of splitTypes(type.slice(1, -1)).entries()) this.write(inner, asArray(value)[index]);
  }

  writeArray<T>(elementType: string, items: readonly T[], write: (item: T) => void): void {
    this.align(4);
    const lengthAt = this.bytes.length;
    this.#uint32(0);
    this.align(alignmentOf(elementType));
    const start = this.bytes.length;
    for (const item of items) write(item);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(this.bytes.length - start);
    this.bytes.splice(lengthAt, 4, ...length);
  }

  #uint32(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.bytes.push(...bytes);
  }
}

class Reader {
  at = 0;
  readonly #bytes: Buffer;
  readonly #isLittleEndian: boolean;

  constructor(bytes: Buffer, isLittleEndian: boolean) {
    this.#bytes = bytes;
    this.#isLittleEndian = isLittleEndian;
  }

  read(type: string): unknown {
    this.#align(alignmentOf(type));
    if (type === 'y') return this.#bytes.readUInt8(this.at++);
    if (type === 'u') return this.#uint32();
    if (type === 'b') return this.#uint32() === 1;
    if (type === 'g') return this.#text(this.#bytes.readUInt8(this.at++));
    if (type === 's' || type === 'o') return this.#text(this.#uint32());
    if (type === 'v') return this.read(String(this.read('g')));
    if (type.startsWith('a')) return this.#array(type.slice(1));
    if (type.startsWith('(') || type.startsWith('{'))
      return splitTypes(type.slice(1, -1)).map((inner) => this.read(inner));
    throw new TypeError(
      `a D-Bus message holds a value of type ${JSON.stringify(type.slice(0, 20))}, which is not expected`,
    );
  }

  #array(elementType: string): unknown[] {
    const length = this.#uint32();
    this.#align(alignmentOf(elementType));
    const end = this.at + length;
    const items: unknown[] = [];
    while (this.at < end) items.push(this.read(elementType));
    return items;
  }

  #align(boundary: number): void {
    this.at += (boundary - (this.at % boundary)) % boundary;
  }

  #uint32(): number {
    const value = this.#isLittleEndian ? this.#bytes.readUInt32LE(this.at) : this.#bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  #text(length: number): string {
    const text = this.#bytes.toString('utf8', this.at, this.at + length);
    this.at += length + 1;
    return text;
  }
}
