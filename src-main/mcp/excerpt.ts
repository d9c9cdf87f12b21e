const LONGEST = 2_000;
const LONGEST_TEXT = 500;

/** The beginning of a value as JSON; no more of it is looked at than is written. */
export function excerpt(value: unknown): string {
  const written: string[] = [];
  let left = LONGEST;
  const write = (text: string) => {
    written.push(text);
    left -= text.length;
  };
  const visit = (node: unknown): void => {
    if (left <= 0) return;
    if (typeof node === 'string') {
      write(JSON.stringify(node.length > LONGEST_TEXT ? `${node.slice(0, LONGEST_TEXT)}…` : node));
    } else if (typeof node !== 'object' || node === null) {
      write(JSON.stringify(node) ?? 'null');
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
