import type { LeftRunning } from '../../../src-preload/contract/left-running.ts';
import { firstCharacters, shortened } from '../../base/text.ts';
import { withoutSecrets } from './command-secrets.ts';

const LONGEST_COMMAND = 200;
/** How much of a command line, which may be megabytes long, is searched for secrets. */
const LOOKED_THROUGH = 4_000;

/** As people are told of it: a command line may hold secrets, line ends, and more than anybody reads. */
export function shownPrograms({ id, inBackground, programs }: LeftRunning): LeftRunning {
  return { id, inBackground, programs: programs.map(({ pid, command }) => ({ pid, command: shown(command) })) };
}

function shown(command: string): string {
  const oneLine = withoutSecrets(
    firstCharacters(command, LOOKED_THROUGH)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  );
  return shortened(oneLine, LONGEST_COMMAND);
}
