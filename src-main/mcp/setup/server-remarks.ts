import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import type { WrittenServer } from './written-server.ts';

const RELATIVE = /^(?:\.{1,2}|~)(?:[\\/]|$)/;
const SCRIPT = /^[^-/\\~$%:@][^:@]*\.(?:[cm]?[jt]s|py|rb|php|jar|dll)$/i;
const RUNS_SCRIPTS = /(?:^|[\\/])(?:node|python[\d.]*|py|bun|deno|tsx|ts-node|ruby|php|uv)(?:\.exe)?$/i;

/** Paths that mean something only in a working folder or a shell, of which the server has none. */
export function pathRemarks(command: string, args: readonly string[]): readonly ServerRemark[] {
  const hasFolder = args.some((arg) => /^--(?:directory|project|cwd|prefix)(?:=|$)/.test(arg));
  const runsScripts = RUNS_SCRIPTS.test(command) || args.some((arg) => /^(?:tsx|ts-node|node|python3?)$/.test(arg));
  const script = runsScripts && !hasFolder ? args.find((arg) => SCRIPT.test(arg)) : undefined;
  const paths = [command, ...args].filter((word) => RELATIVE.test(word.replace(/^--?[\w-]+=/, '')) || word === script);
  return [...new Set(paths)].map((text) => ({ code: 'relative_path' as const, text }));
}

/**
 * Finds letters of another alphabet that pass for Latin ones. Source: https://www.unicode.org/reports/tr39,
 * mixed-script detection.
 */
const LATIN = /\p{Script=Latin}/u;
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff01-\uff5e]/u;
const MAX_LOOKED_AT_LENGTH = 2_000;

export function spellingRemarks({ name, command, args, url, env, headers }: WrittenServer): readonly ServerRemark[] {
  const words = [
    name,
    command,
    url.text,
    ...args.map(({ text }) => text),
    ...[...env, ...headers].map((each) => each.name),
  ];
  return words
    .flatMap((text) => text.slice(0, MAX_LOOKED_AT_LENGTH).split(/[\s/]+/))
    .filter((word) => ALIKE.test(word) && (LATIN.test(word) || !/[^\p{ASCII}\d]/u.test(word) || isAllAlike(word)))
    .slice(0, 5)
    .map((text) => ({ code: 'mixed_alphabets' as const, text }));
}

/** Entirely of letters that have a Latin twin: `сосо`. */
function isAllAlike(word: string): boolean {
  return /^[\p{P}\d\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u04bb\u0501\u0391-\u03a9\uff01-\uff5e]+$/iu.test(
    word,
  );
}
