import { z } from 'zod';
import { decodeText } from '../../../src-main/base/encoding/text-encoding.ts';
import { type CorpusFile, filesOf, unpacked } from './corpus.ts';
import { TEXTS } from './packages.ts';
import { pythonLines } from './python.ts';
import { percent, type Trial } from './report.ts';

/** Python's names of the encodings in which texts of a language were stored. */
const IN_USE: Readonly<Record<string, string>> = {
  ar: 'cp1256 iso8859_6',
  be: 'cp1251',
  bg: 'cp1251 iso8859_5 cp866',
  cs: 'cp1250 iso8859_2 cp852',
  da: 'cp1252 iso8859_15',
  de: 'cp1252 iso8859_15 cp850 mac_roman',
  el: 'cp1253 iso8859_7 cp737',
  es: 'cp1252 iso8859_1 cp850',
  et: 'cp1257 iso8859_13',
  fi: 'cp1252 iso8859_15',
  fr: 'cp1252 iso8859_15 cp850 mac_roman',
  he: 'cp1255 iso8859_8',
  hu: 'cp1250 iso8859_2',
  it: 'cp1252',
  ja: 'shift_jis euc_jp iso2022_jp cp932',
  ko: 'euc_kr cp949',
  lt: 'cp1257 iso8859_13 iso8859_4',
  lv: 'cp1257 iso8859_13 iso8859_4',
  nl: 'cp1252',
  pl: 'cp1250 iso8859_2 cp852 mac_latin2',
  pt: 'cp1252',
  pt_BR: 'cp1252 iso8859_1',
  ro: 'iso8859_16 iso8859_2 cp1250',
  ru: 'cp1251 koi8_r iso8859_5 cp866 mac_cyrillic',
  sk: 'cp1250 iso8859_2',
  sl: 'cp1250 iso8859_2',
  sv: 'cp1252 iso8859_15',
  th: 'tis_620 cp874',
  tr: 'cp1254 iso8859_9',
  uk: 'cp1251 koi8_u',
  vi: 'cp1258',
  zh_CN: 'gbk gb2312 gb18030',
  zh_TW: 'big5',
};
const EVERYWHERE = ['utf_8', 'utf_16_le', 'utf_16_be'];
const LENGTHS = [600, 4_000];

interface Sample {
  readonly language: string;
  readonly encoding: string;
  readonly text: string;
}

const Encoded = z.object({ bytes: z.string().nullable(), isReferenceRight: z.boolean() });

export const charsets: Trial = {
  name: 'charsets',
  async run(tell) {
    const { packages, missing } = await unpacked(TEXTS);
    const samples: Sample[] = [];
    for (const each of packages) {
      const files = await filesOf(each, (path) => /\/LC_MESSAGES\/[^/]+\.mo$/.test(path), 1_000);
      samples.push(...files.flatMap(samplesOf));
      tell(`${each.name} ${each.version}: ${files.length} catalogues`);
    }
    let encoded: readonly unknown[];
    try {
      encoded = await pythonLines(
        './encode.py',
        samples.map((sample) => JSON.stringify(sample)),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return {
        missing: [...missing, `Python: install the Debian package python3-chardet (${reason})`],
        rows: [],
        findings: [],
      };
    }
    const right = new Map<string, { ours: number; reference: number; all: number }>();
    const findings: string[] = [];
    for (const [index, sample] of samples.entries()) {
      const { bytes, isReferenceRight } = Encoded.parse(encoded[index]);
      if (bytes === null) continue;
      const decoded = await decodeText(Buffer.from(bytes, 'base64'));
      const isRight = decoded.text.normalize('NFC') === sample.text.normalize('NFC');
      const counts = right.get(sample.encoding) ?? { ours: 0, reference: 0, all: 0 };
      right.set(sample.encoding, counts);
      counts.all++;
      if (isRight) counts.ours++;
      else
        findings.push(
          `${sample.language} in ${sample.encoding}, ${sample.text.length} characters: read as ${decoded.encoding.name}`,
        );
      if (isReferenceRight) counts.reference++;
    }
    const others = [...right].filter(([encoding]) => encoding !== 'utf_8');
    const total = (key: 'ours' | 'reference' | 'all') => others.reduce((sum, [, counts]) => sum + counts[key], 0);
    const utf8 = right.get('utf_8') ?? { ours: 0, all: 0 };
    return {
      missing,
      findings,
      rows: [
        ['texts that are not UTF-8', String(total('all')), ''],
        ['encodings', String(others.length), 'at least 30'],
        ['read right', percent(total('ours') / total('all')), 'at least 90 %'],
        ['read right by Python’s chardet', percent(total('reference') / total('all')), ''],
        ['UTF-8 read right', `${utf8.ours} of ${utf8.all}`, 'all'],
        ...others.map(([encoding, { ours, all }]) => [`${encoding}`, `${ours} of ${all}`, ''] as const),
      ],
    };
  },
};

function samplesOf({ path, bytes }: CorpusFile): Sample[] {
  const [, language = ''] = /\/locale\/([^/]+)\//.exec(`/${path}`) ?? [];
  const encodings = IN_USE[language]?.split(' ');
  if (encodings === undefined) return [];
  const messages = messagesOf(bytes).filter((message) => /[^\p{ASCII}]/u.test(message));
  const whole = messages.join('\n');
  return LENGTHS.flatMap((length) => {
    const text = whole.slice(0, length).replace(/[\ud800-\udbff]$/, '');
    return text.length < length / 2
      ? []
      : [...encodings, ...EVERYWHERE].map((encoding) => ({ language, encoding, text }));
  });
}

/** The translations in a catalogue. Source: https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html */
function messagesOf(bytes: Buffer): readonly string[] {
  const isLittle = bytes.readUInt32LE(0) === 0x950412de;
  const at = (offset: number) => (isLittle ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset));
  const [count, table] = [at(8), at(16)];
  return Array.from({ length: count }, (_, index) => {
    const [length, offset] = [at(table + index * 8), at(table + index * 8 + 4)];
    return bytes.toString('utf8', offset, offset + length).replaceAll('\0', '\n');
  }).slice(1);
}
