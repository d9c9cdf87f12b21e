import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { seededRandom } from '../fixtures/random.ts';

/** What both loops of the turn bench are given: one turn of 50 rounds with one tool call each, then a final text. */
export const CALLS = 50;
export const MODEL = 'claude-sonnet-5-5';
export const KEY = 'sk-ant-api03-fixture';
export const PROMPT = 'Read all parts and tell me what they say.';
export const LAST_WORDS = 'All parts were read. They say what they say.';

const PARTS = 10;
const LINES_PER_PART = 50;
const LINE_CHARACTERS = 80;

/** Nine calls of ten read a file, one asks for the date; some words before each, as models write them. */
export function scriptedTurns(): ScriptedTurn[] {
  const rounds = Array.from({ length: CALLS }, (_, index): ScriptedTurn => {
    const part = index % PARTS;
    const call =
      part === PARTS - 1
        ? { name: 'get_date', input: {} }
        : { name: 'read_file', input: { file_path: `part-${part}.txt` } };
    return {
      text: `Now part ${index + 1}. I read it in full before I say anything about it: the parts refer to each other.`,
      blocks: [{ type: 'tool_use', ...call }],
    };
  });
  return [...rounds, { text: LAST_WORDS }];
}

/** Name → content, 4 kB each. */
export function partFiles(): Record<string, string> {
  const random = seededRandom(1);
  const character = () => (random() < 0.17 ? ' ' : String.fromCharCode(97 + Math.floor(random() * 26)));
  const line = () => `${Array.from({ length: LINE_CHARACTERS - 1 }, character).join('')}\n`;
  const part = () => Array.from({ length: LINES_PER_PART }, line).join('');
  return Object.fromEntries(Array.from({ length: PARTS }, (_, index) => [`part-${index}.txt`, part()]));
}
