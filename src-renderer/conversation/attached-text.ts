/** A text block of a message: what the person wrote (`name` is `null`), or a file that was attached. */
export interface MessageText {
  readonly name: string | null;
  readonly text: string;
}

/** As main writes attached files into a message; the fence is longer than any in the text. Source: src-main/ipc/attachments.ts. */
const ATTACHED = /^Attached file: ([^\n]*)\n(`{3,})\n([\s\S]*?)\n?\2$/;

export function attachedText(text: string): MessageText {
  const match = ATTACHED.exec(text);
  return match === null ? { name: null, text } : { name: match[1] ?? '', text: match[3] ?? '' };
}
