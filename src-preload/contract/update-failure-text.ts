import type { UpdateFailure } from './updates.ts';

/** Why a check or a download failed. `host` is where the releases are. */
export function updateFailureText({ code, detail }: UpdateFailure, host: string): string {
  const because = detail === null ? '' : `: ${detail}`;
  return {
    unreachable: detail === null ? `${host} could not be reached.` : `${detail}.`,
    no_answer: `There was no answer from ${host}${because}.`,
    refused: `${host} refused the request${because}.`,
    no_release: `${host} has no release for this system.`,
    unusable: `The answer of ${host} can’t be used${because}.`,
    elsewhere: `${host} led to an address that doesn’t belong to the releases${because}. It was not contacted.`,
    wrong_file: `The file is not the one that was announced${because}. It was deleted.`,
    not_stored: `The file could not be stored${because}.`,
    not_installed: `The installation failed${because}.`,
  }[code];
}
