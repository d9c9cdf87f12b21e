import { atMost, diffWalk, grepFiles, grepWalk, grepWords, rgFiles, rgWalk, rgWords } from './operands.ts';
import type { ReadingCommand } from './reading-command.ts';

/**
 * Commands that print the content of files or of their input. Sources: POSIX.1-2017, Shell & Utilities; the manuals of
 * GNU coreutils 9.1, grep 3.8, diffutils 3.8 and util-linux 2.38; `rg(1)` of ripgrep 14. The table leaves out options
 * that write (`sort -o`), start a program (`sort --compress-program`, `diff -l`, `rg --pre`), never end (`tail -f`),
 * follow links into folders (`grep -R`), or take file names from a file (`wc --files0-from`, `md5sum -c`).
 */
export const TEXT_COMMANDS: Readonly<Record<string, ReadingCommand>> = {
  cat: {
    posix: 'u',
    gnu: 'AbeEnstTv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    operands: 'files',
    reads: 'contents',
  },
  tac: { posix: '', gnu: 'brs:', long: 'before regex separator:', operands: 'files', reads: 'contents' },
  rev: { posix: '', operands: 'files', reads: 'contents' },
  nl: {
    posix: 'b:d:f:h:i:l:n:ps:v:w:',
    long:
      'body-numbering: section-delimiter: footer-numbering: header-numbering: line-increment: join-blank-lines: number-format: ' +
      'no-renumber number-separator: starting-line-number: number-width:',
    operands: 'files',
    reads: 'contents',
  },
  head: {
    posix: 'n:',
    gnu: 'c:qvz',
    long: 'bytes: lines: quiet silent verbose zero-terminated',
    takesNumber: true,
    operands: 'files',
    reads: 'contents',
  },
  tail: {
    posix: 'c:n:',
    gnu: 'qvz',
    long: 'bytes: lines: quiet silent verbose zero-terminated',
    takesNumber: true,
    operands: 'files',
    reads: 'contents',
  },
  wc: {
    posix: 'clmw',
    gnu: 'L',
    long: 'bytes chars lines words max-line-length',
    operands: 'files',
    reads: 'contents',
  },
  grep: {
    posix: 'EFce:f:ilnqsvx',
    gnu: 'GPA:B:C:HILTUVZabhLm:oryw',
    long:
      'extended-regexp fixed-strings basic-regexp perl-regexp regexp: file: ignore-case no-ignore-case word-regexp line-regexp ' +
      'null-data no-messages invert-match version max-count: byte-offset line-number line-buffered with-filename no-filename label: ' +
      'only-matching quiet silent binary-files: text include: exclude: exclude-dir: recursive files-without-match ' +
      'files-with-matches count initial-tab null before-context: after-context: context: group-separator: no-group-separator ' +
      'color? colour? binary',
    takesNumber: true,
    fileOptions: ['f', 'file'],
    operands: grepFiles,
    reads: 'contents',
    walks: grepWalk,
    addedWords: grepWords,
  },
  rg: {
    posix: '',
    gnu: 'A:B:C:ce:E:Ff:g:hHiIj:lm:M:nNoPqr:sSt:T:uUvVwx0.abp',
    long:
      'after-context: before-context: block-buffered byte-offset case-sensitive color: colors: column context: context-separator: ' +
      'count count-matches crlf encoding: engine: file: files files-with-matches files-without-match fixed-strings glob: ' +
      'glob-case-insensitive heading hidden iglob: ignore-case include-zero invert-match json line-buffered line-number line-regexp ' +
      'max-columns: max-columns-preview max-count: max-depth: max-filesize: mmap multiline multiline-dotall no-config no-column ' +
      'no-context-separator no-encoding no-filename no-fixed-strings no-heading no-hidden no-ignore no-ignore-dot no-ignore-exclude ' +
      'no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent no-ignore-vcs no-invert-match no-json no-line-number ' +
      'no-messages no-mmap no-multiline no-pcre2-unicode no-require-git no-unicode null null-data one-file-system only-matching ' +
      'passthru path-separator: pcre2 pretty quiet regex-size-limit: regexp: replace: smart-case sort: sortr: stats stop-on-nonmatch ' +
      'text threads: trim type: type-add: type-clear: type-list type-not: unrestricted version vimgrep with-filename word-regexp',
    fileOptions: ['f', 'file'],
    isSameEverywhere: true,
    operands: rgFiles,
    reads: 'contents',
    walks: rgWalk,
    addedWords: rgWords,
  },
  sort: {
    posix: 'bcCdfik:mnrt:u',
    gnu: 'ghMRsVzS:',
    long:
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort ' +
      'numeric-sort random-sort reverse sort: version-sort batch-size: check? debug key: merge stable buffer-size: field-separator: ' +
      'parallel: unique zero-terminated',
    operands: 'files',
    reads: 'contents',
  },
  uniq: {
    posix: 'cdf:s:u',
    gnu: 'Diw:z',
    long: 'count repeated all-repeated? skip-fields: group? ignore-case skip-chars: unique zero-terminated check-chars:',
    // There may be one operand only, because uniq writes to the second one.
    operands: atMost(1),
    reads: 'contents',
  },
  cut: {
    posix: 'b:c:d:f:ns',
    gnu: 'z',
    long: 'bytes: characters: delimiter: fields: complement only-delimited output-delimiter: zero-terminated',
    operands: 'files',
    reads: 'contents',
  },
  paste: { posix: 'd:s', gnu: 'z', long: 'delimiters: serial zero-terminated', operands: 'files', reads: 'contents' },
  comm: {
    posix: '123',
    gnu: 'z',
    long: 'check-order nocheck-order output-delimiter: total zero-terminated',
    operands: atMost(2),
    reads: 'contents',
  },
  tr: {
    posix: 'cCds',
    gnu: 't',
    long: 'complement delete squeeze-repeats truncate-set1',
    operands: 'text',
    reads: 'names',
  },
  diff: {
    posix: 'bcefruC:U:',
    gnu: 'aBdEF:I:inNpqstTwW:x:yZ',
    long:
      'normal brief report-identical-files context? unified? ed rcs side-by-side width: left-column suppress-common-lines ' +
      'show-c-function show-function-line: label: expand-tabs initial-tab tabsize: suppress-blank-empty recursive ' +
      'no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude: ignore-case ' +
      'ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines: ' +
      'text strip-trailing-cr minimal horizon-lines: speed-large-files color? palette: version',
    takesNumber: true,
    operands: atMost(2),
    reads: 'contents',
    walks: diffWalk,
  },
  cmp: {
    posix: 'ls',
    gnu: 'bi:n:',
    long: 'print-bytes ignore-initial: verbose bytes: quiet silent version',
    operands: atMost(2),
    reads: 'contents',
  },
  od: {
    posix: 'A:bcdj:N:ost:vx',
    gnu: 'afil',
    long: 'address-radix: endian: skip-bytes: read-bytes: format: output-duplicates',
    operands: 'files',
    reads: 'contents',
  },
  base64: { posix: '', gnu: 'diw:', long: 'decode ignore-garbage wrap:', operands: atMost(1), reads: 'contents' },
  cksum: { posix: '', operands: 'files', reads: 'contents' },
  md5sum: checksum(),
  sha1sum: checksum(),
  sha224sum: checksum(),
  sha256sum: checksum(),
  sha384sum: checksum(),
  sha512sum: checksum(),
  b2sum: checksum(),
  file: {
    posix: '',
    gnu: 'bikNrE0',
    long: 'brief mime mime-type mime-encoding extension apple keep-going no-pad raw print0 version',
    operands: 'files',
    reads: 'contents',
  },
};

function checksum(): ReadingCommand {
  return { posix: '', gnu: 'btz', long: 'binary tag text zero version', operands: 'files', reads: 'contents' };
}
