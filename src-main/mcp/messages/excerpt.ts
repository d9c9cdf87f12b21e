import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { redactedStart } from '../../secrets/redaction.ts';

const MAX_LENGTH = 2_000;
const MAX_TEXT_LENGTH = 500;

/**
 * The beginning of a value as JSON; little more than that is read. Secrets are removed before escaping, since redaction
 * would not recognize them afterwards; the result as a whole still has to be redacted.
 */
export function excerpt(value: unknown, redact: (text: string) => string): string {
  const written: string[] = [];
  let left = MAX_LENGTH;
  const write = (text: string) => {
    written.push(text);
    left -= text.length;
  };
  const visit = (node: unknown): void => {
    if (left <= 0) return;
    if (typeof node === 'string') {
      write(textExcerpt(node, redact));
    } else if (typeof node !== 'object' || node === null) {
      write(exactJson(node));
    } else if (Array.isArray(node)) {
      visitMembers('[', ']', node.length, (index) => visit(node[index]));
    } else {
      const entries = Object.entries(node).filter(([, member]) => member !== undefined);
      visitMembers('{', '}', entries.length, (index) => {
        const [key = '', member] = entries[index] ?? [];
        write(`${JSON.stringify(key)}:`);
        visit(member);
      });
    }
  };
  const visitMembers = (open: string, close: string, count: number, member: (index: number) => void) => {
    write(open);
    for (let index = 0; index < count; index++) {
      if (left <= 0) {
        write('…');
        break;
      }
      if (index > 0) write(',');
      member(index);
    }
    write(close);
  };
  visit(value);
  return written.join('');
}

function textExcerpt(text: string, redact: (text: string) => string): string {
  const written = text.length > MAX_TEXT_LENGTH ? undefined : JSON.stringify(text);
  if (written !== undefined && written.length === text.length + 2) return written;
  return JSON.stringify(redactedStart(text, { redact, length: MAX_TEXT_LENGTH }));
}
