import { fileErrorText } from '../../../src-main/base/file-problem.ts';
import { writeAtomically } from '../../../src-main/tools/files/atomic-write.ts';

/**
 * Writes a text into a file and says what came of it, for tests that take rights from it: `overwrite-child.ts FILE TEXT
 * [MODE]`.
 */
const [real = '', text = '', octal] = process.argv.slice(2);
const mode = octal === undefined ? {} : { mode: Number.parseInt(octal, 8) };
const beforeReplacing = async () => {
  process.stdout.write('about to; ');
};
await writeAtomically({ real, bytes: Buffer.from(text), ...mode, createDirectories: false, beforeReplacing }).then(
  () => process.stdout.write('written'),
  (error: unknown) => process.stdout.write(fileErrorText(error, 'FILE')),
);
