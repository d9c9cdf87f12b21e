/**
 * A keychain that asks for its password may take a minute, a network folder too; the page gets `settingsChanged` when
 * it has answered.
 */
const ANSWER_WITHIN_MS = 1_500;

/** Returns `otherwise` if the answer takes longer. */
export async function atOnce<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
