import { errorMessage } from '../../../base/errors.ts';
import { readPage } from '../../web/page/page-reader.ts';
import { MAX_DEPTH } from './mail-attachments.ts';
import { decodeBody } from './mail-charset.ts';
import { getHeader, isAttachment, isReadAsText, type MailPart, mediaTypeOf } from './mail-part.ts';
import { withoutUnseen } from './unseen-text.ts';

export interface MessageTextPorts {
  /** Fetches a body that was too big to be in the message, in base64url. */
  fetchBody(attachmentId: string): Promise<string>;
  readonly signal: AbortSignal;
}

export interface MessageText {
  /** The text, which is empty if the message has none. */
  readonly text: string;
  /** Targets of the links in the message's HTML, in their order, without duplicates. */
  readonly links: readonly string[];
}

/**
 * Reads the text of a message. HTML is read like a page: comments, styles and scripts are dropped. What is only made
 * hard to see (white on white, `display:none`) is kept: that can't be told reliably, and the user sees it in the result
 * as the model does. Broken parts are skipped. Rejects only if nothing else is left, if a body can't be fetched, or
 * with the signal's reason. Source: tool catalogue F.1.
 */
export async function messageText(payload: MailPart, ports: MessageTextPorts): Promise<MessageText> {
  const reader = new MessageReader(ports);
  const text = withoutUnseen(await reader.textOf(payload, 0)).trim();
  if (text === '' && reader.problem !== undefined) throw reader.problem;
  return { text, links: [...reader.links] };
}

const FORWARDED = '--- Forwarded message ---';

class MessageReader {
  readonly links = new Set<string>();
  /** Why a part could not be read. */
  problem: Error | undefined;
  readonly #ports: MessageTextPorts;

  constructor(ports: MessageTextPorts) {
    this.#ports = ports;
  }

  async textOf(part: MailPart, depth: number): Promise<string> {
    if (depth > MAX_DEPTH) return '';
    const type = mediaTypeOf(part);
    if (type === 'message/rfc822') return this.#forwarded(part, depth);
    if (type.startsWith('multipart/') || (part.parts ?? []).length > 0) {
      const isChoice = type === 'multipart/alternative';
      return isChoice ? this.#bestOf(part.parts ?? [], depth) : this.#joined(part.parts ?? [], depth);
    }
    // A message without Content-Type is plain text. Source: https://www.rfc-editor.org/rfc/rfc2045#section-5.2
    if (!isReadAsText(part)) return type === '' && depth === 0 && !isAttachment(part) ? this.#body(part) : '';
    return type === 'text/html' ? this.#html(part) : this.#body(part);
  }

  async #forwarded(part: MailPart, depth: number): Promise<string> {
    const text = await this.#joined(part.parts ?? [], depth);
    return text === '' ? '' : `${FORWARDED}\n${text}`;
  }

  async #joined(parts: readonly MailPart[], depth: number): Promise<string> {
    const texts: string[] = [];
    for (const part of parts) {
      const text = await this.textOf(part, depth + 1);
      if (text.trim() !== '') texts.push(text.trim());
    }
    return texts.join('\n\n');
  }

  /**
   * Takes HTML, or else something nested, each from the last such part, which is the richest. If there is neither, it
   * takes the first plain text.
   */
  async #bestOf(parts: readonly MailPart[], depth: number): Promise<string> {
    const fromLast = parts.toReversed();
    const html = fromLast.filter((part) => mediaTypeOf(part) === 'text/html');
    const nested = fromLast.filter((part) => mediaTypeOf(part).startsWith('multipart/'));
    const plain = parts.filter((part) => mediaTypeOf(part) === 'text/plain');
    for (const part of [...html, ...nested, ...plain]) {
      const text = await this.textOf(part, depth + 1);
      if (text.trim() !== '') return text;
    }
    return '';
  }

  async #html(part: MailPart): Promise<string> {
    const html = await this.#body(part);
    if (html.trim() === '') return '';
    const { signal } = this.#ports;
    try {
      const page = await readPage({ html }, signal);
      for (const link of page.links) this.links.add(link);
      return page.text;
    } catch (error) {
      signal.throwIfAborted();
      this.problem = new Error(errorMessage(error), { cause: error });
      return '';
    }
  }

  async #body({ body, headers }: MailPart): Promise<string> {
    const { data, attachmentId } = body ?? {};
    const inline = data ?? '';
    const encoded =
      inline === '' && attachmentId !== undefined && attachmentId !== null
        ? await this.#ports.fetchBody(attachmentId)
        : inline;
    return decodeBody(encoded, getHeader(headers, 'Content-Type'));
  }
}
