import { logUniform, seededRandom, zipfRank } from '../fixtures/random.ts';

const LATIN_WORDS = 30_000;
const HAN_CHARACTERS = 3_500;
const FIRST_HAN = 0x4e00;
const KANA = Array.from('のにはをたがでてとしれさあるいるもするからな');
/** Which messages are Chinese or Japanese. */
const CJK_SHARE = 0.25;
const CJK_PAUSES = ['，', '。', '、', '？'];

/** Texts as people and models write them, as far as an index can tell: lengths, frequencies of words, scripts. */
export class MessageTexts {
  readonly #random: () => number;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#words = Array.from({ length: LATIN_WORDS }, () => this.#newWord());
  }

  /** Rank 0 stands in nearly every message, the last ones in hardly any. */
  word(rank: number): string {
    return this.#words[rank] ?? '';
  }

  han(rank: number): string {
    return String.fromCodePoint(FIRST_HAN + ((rank * 7_919) % HAN_CHARACTERS));
  }

  /** One exchange in one language: people are brief, models are not. */
  exchange(): { question: string; answer: string } {
    const isCjk = this.#random() < CJK_SHARE;
    const question = logUniform(15, 400, this.#random);
    const answer = logUniform(100, 2_500, this.#random);
    if (isCjk) return { question: this.#cjk(question / 3), answer: this.#cjk(answer / 3) };
    return { question: this.#latin(question), answer: this.#latin(answer) };
  }

  #latin(characters: number): string {
    let text = '';
    while (text.length < characters) {
      const end = this.#random();
      text += `${this.word(zipfRank(LATIN_WORDS, this.#random))}${end < 0.06 ? '. ' : end < 0.12 ? ', ' : end < 0.14 ? '\n' : ' '}`;
    }
    return text;
  }

  #cjk(characters: number): string {
    let text = '';
    while (text.length < characters) {
      const kind = this.#random();
      if (kind < 0.6) text += this.han(zipfRank(HAN_CHARACTERS, this.#random));
      else if (kind < 0.92) text += KANA[zipfRank(KANA.length, this.#random)] ?? '';
      else text += CJK_PAUSES[Math.floor(this.#random() * CJK_PAUSES.length)] ?? '';
    }
    return text;
  }

  #newWord(): string {
    const pick = (letters: string) => letters[Math.floor(this.#random() * letters.length)] ?? '';
    const syllable = () => `${pick('bcdfghjklmnprstvwz')}${pick('aeiou')}${this.#random() < 0.3 ? pick('nrst') : ''}`;
    return Array.from({ length: 1 + Math.floor(this.#random() * 4) }, syllable).join('');
  }
}
