import { isIP } from 'node:net';
import { isLocalName, type NameAddresses, plainHost } from './addresses.ts';

/**
 * Answers questions for addresses (RFC 1035), and never asks anybody. Own code: only one form of question is read and
 * one form of answer written, and what comes from a command is better read by sixty lines than by a library for all
 * types of records.
 */

const HEADER_BYTES = 12;
const IN = 1;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const TTL_S = 60;
/** Points to the name in the question, which always begins after the header. */
const SAME_NAME = 0xc00c;
const ANSWER = 0x8080;
const RECURSION_WANTED = 0x0100;
const [NO_ERROR, BAD_FORM, FAILED, NO_SUCH_NAME, NOT_DONE] = [0, 1, 2, 3, 4];

interface Question {
  /** Undefined if it has labels that no host name has. */
  readonly name: string | undefined;
  readonly type: number;
  readonly class: number;
  /** Where it ends in the message. */
  readonly end: number;
}

/** The message that answers this one, or undefined for what is no question. */
export function answerTo(message: Buffer, names: NameAddresses, hasIPv6: boolean): Buffer | undefined {
  if (message.length < HEADER_BYTES || (message.readUInt16BE(2) & 0x8000) !== 0) return undefined;
  const operation = (message.readUInt16BE(2) >> 11) & 0xf;
  if (operation !== 0) return written(message, HEADER_BYTES, NOT_DONE);
  const question = message.readUInt16BE(4) === 1 ? questionIn(message) : undefined;
  if (question === undefined) return written(message, HEADER_BYTES, BAD_FORM);
  const { name, type, end } = question;
  if (name === undefined) return written(message, end, NO_SUCH_NAME);
  const isAddress = question.class === IN && (type === TYPE_A || (type === TYPE_AAAA && hasIPv6));
  if (!isAddress) return written(message, end, NO_ERROR);
  const addresses = isLocalName(name) ? { ipv4: '127.0.0.1', ipv6: '::1' } : names.of(name);
  if (addresses === undefined) return written(message, end, FAILED);
  return written(message, end, NO_ERROR, type === TYPE_A ? bytesOf4(addresses.ipv4) : bytesOf6(addresses.ipv6));
}

function questionIn(message: Buffer): Question | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]; length !== 0; length = message[at]) {
    // What is longer than a label is a pointer, which a question has no use for.
    if (length === undefined || length > 63) return undefined;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  if (end > message.length) return undefined;
  const isPlain = labels.length > 0 && labels.every((label) => /^[\w-]+$/.test(label));
  const host = isPlain ? plainHost(labels.join('.')) : undefined;
  // As a name, an IP address would get another spelling, under which loopback was not known.
  const name = host !== undefined && isIP(host) === 0 ? host : undefined;
  return { name, type: message.readUInt16BE(at + 1), class: message.readUInt16BE(at + 3), end };
}

/** The header and question of the message, the code, and the address if there is one. */
function written(message: Buffer, end: number, code: number, address?: Buffer): Buffer {
  const head = Buffer.from(message.subarray(0, end));
  const flags = ANSWER | (message.readUInt16BE(2) & (RECURSION_WANTED | 0x7800)) | code;
  const counts = [end > HEADER_BYTES ? 1 : 0, address === undefined ? 0 : 1, 0, 0];
  for (const [index, value] of [flags, ...counts].entries()) head.writeUInt16BE(value, 2 + 2 * index);
  if (address === undefined) return head;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(SAME_NAME, 0);
  record.writeUInt16BE(address.length === 4 ? TYPE_A : TYPE_AAAA, 2);
  record.writeUInt16BE(IN, 4);
  record.writeUInt32BE(TTL_S, 6);
  record.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, record, address]);
}

function bytesOf4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** Only of addresses with all groups before `::` and one after it. */
function bytesOf6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of before.split(':').entries())
    if (group !== '') bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  bytes.writeUInt16BE(Number.parseInt(after, 16), 14);
  return bytes;
}
