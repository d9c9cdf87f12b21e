import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { realPathOrItself } from '../../base/real-path.ts';
import { HOME, pathsNamed } from '../commands/places-outside.ts';

/**
 * The real paths of what the program of a server, its arguments and its variables name. Servers start in the home
 * folder. Which of the words is a program is not guessed.
 */
export function placesOfProgram(argv: readonly string[]): readonly string[] {
  const home = homedir();
  const named = [...pathsNamed({ kind: 'argv', argv })].filter(({ text }) => text !== '');
  return named.map(({ text, isHome }) => realPathOrItself(resolve(home, isHome ? text.replace(HOME, home) : text)));
}
