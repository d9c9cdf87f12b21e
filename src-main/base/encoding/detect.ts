import { chardet } from 'jschardet';

/** Less is noise. In short texts most of what is that uncertain is windows-1252, with an accent or a sign or two. */
const LEAST_CONFIDENCE = 0.05;

/**
 * What is looked for: the detector's names, and ours. More code pages of DOS and Mac OS would make the others less
 * certain.
 */
const DETECTED: Readonly<Record<string, string>> = {
  big5hkscs: 'big5',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1255: 'windows-1255',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp1258: 'windows-1258',
  cp437: 'cp437',
  cp850: 'cp850',
  cp852: 'cp852',
  cp855: 'cp855',
  cp858: 'cp858',
  cp866: 'ibm866',
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  euc_jis_2004: 'euc-jp',
  euc_kr: 'euc-kr',
  gb18030: 'gb18030',
  iso2022_jp_2: 'iso-2022-jp',
  'iso8859-10': 'iso-8859-10',
  'iso8859-13': 'iso-8859-13',
  'iso8859-14': 'iso-8859-14',
  'iso8859-15': 'iso-8859-15',
  'iso8859-16': 'iso-8859-16',
  'iso8859-1': 'windows-1252',
  'iso8859-2': 'iso-8859-2',
  'iso8859-3': 'iso-8859-3',
  'iso8859-4': 'iso-8859-4',
  'iso8859-5': 'iso-8859-5',
  'iso8859-6': 'iso-8859-6',
  'iso8859-7': 'iso-8859-7',
  'iso8859-8': 'iso-8859-8',
  'iso8859-9': 'windows-1254',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'mac-cyrillic': 'x-mac-cyrillic',
  'mac-latin2': 'x-mac-ce',
  'mac-roman': 'macintosh',
  shift_jis_2004: 'shift_jis',
  'tis-620': 'windows-874',
  'utf-16-be': 'utf-16be',
  'utf-16-le': 'utf-16le',
  'utf-32-be': 'utf-32be',
  'utf-32-le': 'utf-32le',
};

/** Encodings of languages in which characters beyond ASCII rarely stand next to each other. */
const LATIN = [
  'cp1250',
  'cp1252',
  'cp1254',
  'cp1257',
  'cp437',
  'cp850',
  'cp852',
  'iso8859-1',
  'iso8859-2',
  'iso8859-15',
];

/** Runs in a thread; see `guessedEncoding`. */
export async function detectedEncoding(sample: Uint8Array): Promise<string> {
  const isLatin = !/[\u0080-\u00ff]{2}/.test(Buffer.from(sample).toString('latin1'));
  const among = isLatin ? LATIN : Object.keys(DETECTED);
  const likely = likelyIn(sample, among);
  const isPlausible = likely !== undefined && (isLatin || likely !== 'windows-1252');
  return (isPlausible ? likely : likelyInMostLines(sample, among)) ?? 'windows-1252';
}

function likelyIn(sample: Uint8Array, includeEncodings: readonly string[]): string | undefined {
  const { encoding, confidence } = chardet.detect(sample, { compatNames: false, includeEncodings });
  return confidence < LEAST_CONFIDENCE || encoding === null ? undefined : DETECTED[encoding];
}

const MAX_LINES = 50;

/** One invalid byte rules an encoding out; a damaged text has it in few of its lines. */
function likelyInMostLines(sample: Uint8Array, among: readonly string[]): string | undefined {
  // Lines of ASCII say nothing about the encoding.
  const lines = Buffer.from(sample).toString('latin1').split('\n').filter(isBeyondAscii).slice(0, MAX_LINES);
  const found = lines.map((line) => likelyIn(Buffer.from(line, 'latin1'), among));
  return [...new Set(found)].find((name) => found.filter((each) => each === name).length > found.length / 2);
}

function isBeyondAscii(line: string): boolean {
  return /[\u0080-\u00ff]/.test(line);
}
