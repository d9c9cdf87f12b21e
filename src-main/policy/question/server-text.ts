import { isRecord } from '../../base/json.ts';
import { valueText } from './question-parts.ts';

const TITLES: Readonly<Record<string, string>> = {
  transport: 'Transport',
  command: 'Program',
  args: 'Arguments',
  env: 'Environment',
  url: 'Address',
  headers: 'Headers',
  oauth: 'Sign-in',
};

/**
 * What is started or reached, one thing a line. Nothing is left out, and no value can look like more than one line: where it could, it is
 * written as JSON.
 */
export function serverText(value: unknown): string {
  if (!isRecord(value)) return valueText(value);
  return Object.entries(value)
    .flatMap(([key, member]) => {
      const title = TITLES[key] ?? key;
      if (Array.isArray(member))
        return member.length === 0
          ? []
          : [`${title}:`, ...member.map((each, index) => `  ${index + 1}. ${onOneLine(each)}`)];
      if (!isRecord(member)) return [`${title}: ${onOneLine(member)}`];
      const inside = Object.entries(member).map(([name, each]) => `  ${onOneLine(name)} = ${onOneLine(each)}`);
      return inside.length === 0 ? [] : [`${title}:`, ...inside];
    })
    .join('\n');
}

function onOneLine(value: unknown): string {
  const isPlain = typeof value === 'string' && /^\S(?:.*\S)?$/.test(value) && !/^["[{]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
