import { noPaths, onlyNames, onlyNumbers } from './operands.ts';
import { type ReadingCommand, valuesOf, type Walk } from './reading-command.ts';

const EVERYTHING: Walk = { followsLinks: false, leftOut: [], only: [] };

/**
 * Commands that list files, and those that read no file at all. Sources: as in `text-commands.ts`. The table leaves out
 * anything that follows links into folders (`ls -L`, `du -L`, `tree -l`), writes (`tree -o`, `tree -R`), sets (`date
 * -s`), or prints the environment.
 */
export const NAME_COMMANDS: Readonly<Record<string, ReadingCommand>> = {
  ls: {
    posix: 'ACFRSacdfgiklmnopqrstux1',
    gnu: 'BGI:NQT:UXZbhvw:D',
    long:
      'all almost-all author escape block-size: ignore-backups color? directory dired classify? file-type format: full-time ' +
      'group-directories-first no-group human-readable si hide: hyperlink? indicator-style: inode ignore: kibibytes literal ' +
      'numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style: reverse recursive size sort: time: ' +
      'time-style: tabsize: width: context zero version',
    operands: 'files',
    reads: 'names',
    walks: ({ options }) => (options.some(({ name }) => name === 'R' || name === 'recursive') ? EVERYTHING : null),
  },
  du: {
    posix: 'aksx',
    gnu: '0bB:cd:hlmSt:',
    long:
      'null all apparent-size block-size: bytes total max-depth: human-readable inodes count-links separate-dirs si summarize ' +
      'threshold: time? time-style: exclude: one-file-system version',
    operands: 'files',
    reads: 'names',
    walks: () => EVERYTHING,
  },
  df: {
    posix: 'kP',
    gnu: 'aB:hHilt:Tx:',
    long: 'all block-size: human-readable si inodes local no-sync output? portability total type: print-type exclude-type: version',
    operands: 'files',
    reads: 'names',
  },
  stat: {
    posix: '',
    gnu: 'c:ft',
    long: 'file-system format: printf: terse version',
    operands: 'files',
    reads: 'names',
  },
  tree: {
    posix: '',
    gnu: 'adfixFqNQpugshDtcUrvnCAJXL:P:I:',
    long: 'noreport dirsfirst filesfirst prune du si inodes device matchdirs ignore-case version',
    hasDetachedValues: true,
    operands: 'files',
    reads: 'names',
    walks: () => EVERYTHING,
  },
  realpath: {
    posix: '',
    gnu: 'eLmPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero',
    operands: 'files',
    reads: 'names',
  },
  readlink: {
    posix: 'n',
    gnu: 'efmqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
    operands: 'files',
    reads: 'names',
  },
  basename: { posix: '', gnu: 'as:z', long: 'multiple suffix: zero', operands: 'text', reads: 'names' },
  dirname: { posix: '', gnu: 'z', long: 'zero', operands: 'text', reads: 'names' },
  // `echo` is allowed as a calculator: `echo $((6 * 7))`. The assistant can produce any other text itself.
  echo: { posix: '', operands: onlyNumbers, reads: 'names' },
  // `sleep` is allowed for a short wait, until a server is up.
  sleep: { posix: '', operands: noPaths(/^\d(?:\.\d+)?$/), reads: 'names' },
  pwd: { posix: 'LP', operands: 'none', reads: 'names' },
  which: { posix: 'a', operands: onlyNames, reads: 'names' },
  uname: { posix: 'amnrsv', gnu: 'pio', operands: 'none', reads: 'names' },
  whoami: { posix: '', operands: 'none', reads: 'names' },
  id: { posix: 'Ggnru', operands: 'none', reads: 'names' },
  date: {
    posix: 'u',
    gnu: 'd:I::Rr:',
    long: 'date: debug iso-8601? rfc-email rfc-3339: reference: universal utc version',
    fileOptions: ['r', 'reference'],
    // Any other operand sets the clock.
    operands: (call) => (valuesOf(call, 'd', 'date').some(setsTimeZone) ? null : noPaths(/^\+/)(call)),
    reads: 'names',
  },
};

/** Whether the date may name a time zone: `TZ=":/a/file" now` reads that file. */
function setsTimeZone(date: string): boolean {
  return /tz/i.test(date);
}
