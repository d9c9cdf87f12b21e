import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'lossless-json';
import { errorMessage } from '../../../../src-main/base/errors.ts';
import type { Program } from '../official.ts';
import { askWith, asParsed } from '../steward.ts';

/** What became of a call that once did harm, made by a model with the real server. */
export interface StoryResult {
  readonly asked: string;
  readonly wanted: string;
  readonly happened: string;
  /** Absent: what must happen did. */
  readonly fault?: string;
}

export interface Story {
  readonly program: Program;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What was done so far; the call adds to it. */
  readonly effects: () => readonly unknown[];
  /** What must have been done; absent: nothing, and the model is told an error. */
  readonly wanted?: readonly unknown[];
}

/** Makes the call in a real `ask`, and looks at what was done. Never rejects. */
export async function replayed({ program, tool, input, effects, wanted }: Story): Promise<StoryResult> {
  const asked = `${tool} ${stringify(input)}`;
  const isRefused = wanted === undefined;
  const result = { asked, wanted: isRefused ? 'an error, and nothing is done' : JSON.stringify(wanted) };
  try {
    const before = effects().length;
    const { answers } = await askWith({ real: program }, [{ server: 'real', tool, input: asParsed(input) }]);
    const told = answers[0]?.text ?? '';
    const done = effects().slice(before);
    const isAsWanted = isDeepStrictEqual(done, wanted ?? []) && answers[0]?.isError === isRefused;
    if (isAsWanted) return { ...result, happened: isRefused ? told : JSON.stringify(done) };
    const fault = done.length === 0 ? 'nothing was done' : `done: ${JSON.stringify(done)}`;
    return { ...result, happened: '', fault: `${fault}; the model was told: ${told}` };
  } catch (error) {
    return { ...result, happened: '', fault: errorMessage(error) };
  }
}
