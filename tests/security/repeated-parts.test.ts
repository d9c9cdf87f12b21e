import { describe, expect, test } from 'vitest';
import { namedBy } from '../../src-main/assistant/named-hosts.ts';
import { snippetsIn } from '../../src-main/mcp/setup/snippets.ts';
import { addressStandsIn } from '../../src-main/network/address-in-text.ts';
import { addressesIn } from '../../src-main/policy/mcp/argument-addresses.ts';
import { hostsInTexts } from '../../src-main/policy/mcp/hosts-in-text.ts';
import { loadIsPublicHost } from '../../src-main/policy/mcp/mentioned-addresses.ts';
import { orderIn } from '../../src-main/policy/mcp/orders-to-models.ts';
import { foldedText, hiddenIn } from '../../src-main/policy/mcp/plain-text.ts';
import { secretValuesIn } from '../../src-main/secrets/env-file-values.ts';
import { redactSecrets } from '../../src-main/secrets/redaction.ts';
import { isKnownKey, isSecretValue } from '../../src-main/secrets/secret-shapes.ts';
import { readAddresses } from '../../src-main/tools/google/mime/mail-headers.ts';
import { withoutUnseen } from '../../src-main/tools/google/mime/unseen-text.ts';
import { htmlToText } from '../../src-main/tools/web/page/html-to-text.ts';
import { terminalLines } from '../../src-renderer/tool-cards/terminal-text.ts';
import { ownTimeMs } from '../fixtures/own-time.ts';
import { seededRandom } from '../fixtures/random.ts';
import { repetitions } from '../fixtures/repetitions.ts';

/** Texts that keep whoever reads them busy with the square of their length. */

const LENGTH = 60_000;
/** A reader that takes the square needs many seconds. */
const MAX_MS = 2_500;

const isPublicHost = await loadIsPublicHost();
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  addressesIn: (text) => addressesIn({ url: text, q: text }),
  hostsInTexts: (text) => hostsInTexts({ q: text }, { isPublicHost, wasFile: async () => false }),
  namedBy: (text) => namedBy({ typed: text, pasted: [text] }),
  addressStandsIn: (text) => addressStandsIn(text, 'https://shop.example/a'),
  snippetsIn,
  orderIn: (text) => orderIn(foldedText(text)),
  hiddenIn,
  secretValuesIn,
  redactSecrets: (text) => redactSecrets(text, ['hunter22-and-more']),
  isSecretValue,
  isKnownKey,
  readAddresses: (text) => readAddresses([{ name: 'To', value: text }], 'To'),
  withoutUnseen,
  htmlToText: (text) => htmlToText(text),
  terminalLines,
};

const CHARACTERS = [...'"\'`<>()[]{} \n\r\t\\/:;,.@#&%=-_*|$~a1\u200bé中·'];
const WORDS =
  '// a. a@ a= a:b@ 1. 0x %25 &# &amp; \\u \u001b[ \u001b] <a <!-- </ http:// sk- key= ``` "a": {" =?utf-8?q?';
const PARTS = CHARACTERS.concat(WORDS.split(' '), 'curl ', 'export A=');

async function ownTimeOf(read: (text: string) => unknown, text: string): Promise<number> {
  const startedAt = ownTimeMs();
  await read(text);
  return ownTimeMs() - startedAt;
}

test('the control: such an expression takes four times as long for twice the text', async () => {
  const read = (text: string) => /[<>"'`]+$/.test(text);
  const half = await ownTimeOf(read, `${'"'.repeat(15_000)}x`);
  expect((await ownTimeOf(read, `${'"'.repeat(30_000)}x`)) / half).toBeGreaterThan(2.5);
});

describe.each(Object.keys(READERS))('%s is done soon', (name) => {
  const read = READERS[name] ?? (() => undefined);

  test('with one part again and again', async () => {
    for (const part of PARTS)
      for (const end of ['', 'x', '\n!']) {
        const text = part.repeat(LENGTH / part.length) + end;
        expect(await ownTimeOf(read, text), JSON.stringify([part, end])).toBeLessThan(MAX_MS);
      }
  });

  test('with generated ones', async () => {
    const random = seededRandom(31);
    const pick = () => PARTS[Math.floor(random() * PARTS.length)] ?? '';
    for (let made = 0; made < repetitions(40, 2_000); made++) {
      const [before, again, after] = [0, 1, 2].map((count) =>
        Array.from({ length: 1 + Math.floor(random() * (1 + count)) }, pick).join(''),
      );
      const text = `${before}${again?.repeat(LENGTH / again.length)}${after}`;
      expect(await ownTimeOf(read, text), JSON.stringify([before, again, after])).toBeLessThan(MAX_MS);
    }
  });
});
