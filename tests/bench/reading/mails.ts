import { join } from 'node:path';
import { z } from 'zod';
import { attachmentsOf, attachmentsText } from '../../../src-main/tools/google/mime/mail-attachments.ts';
import { readAddresses } from '../../../src-main/tools/google/mime/mail-headers.ts';
import type { MailPart } from '../../../src-main/tools/google/mime/mail-part.ts';
import { messageText } from '../../../src-main/tools/google/mime/message-text.ts';
import { filesOf, unpacked } from './corpus.ts';
import { MAILS } from './packages.ts';
import { pythonLines } from './python.ts';
import { percent, type Trial } from './report.ts';
import { lossOf, quantile, recallOf } from './words.ts';

const PER_PACKAGE = 300;
const MAX_LOST = 0.001;

const Facts = z.object({
  payload: z.custom<MailPart>(),
  cc: z.array(z.string()),
  attachments: z.array(z.string()),
  texts: z.array(z.string()),
});

/** Messages as Gmail would give them. */
export const mails: Trial = {
  name: 'mails',
  async run(tell) {
    const { packages, missing } = await unpacked(MAILS);
    const findings: string[] = [];
    const cc = { found: 0, all: 0 };
    const attachments = { found: 0, all: 0 };
    const recalls: number[] = [];
    let count = 0;
    for (const each of packages) {
      const files = await filesOf(each, isMail, PER_PACKAGE);
      const paths = files.map(({ path }) => join(each.folder, path));
      const facts = await pythonLines('./mail-parts.py', paths);
      for (const [index, line] of facts.entries()) {
        const parsed = Facts.safeParse(line);
        if (!parsed.success) continue;
        count++;
        const where = `${each.name} ${files[index]?.path}`;
        const { payload, ...reference } = parsed.data;
        const shownCc = (await readAddresses(payload.headers, 'Cc')).toLowerCase();
        const lostCc = reference.cc.filter((address) => !shownCc.includes(address.toLowerCase()));
        const shown = await attachmentsOf(payload);
        const line100 = attachmentsText(shown);
        const lostFiles = reference.attachments.filter((name) => !hasFile(shown, line100, name));
        cc.all += reference.cc.length;
        cc.found += reference.cc.length - lostCc.length;
        attachments.all += reference.attachments.length;
        attachments.found += reference.attachments.length - lostFiles.length;
        if (lostCc.length > 0) findings.push(`${where}: Cc lost: ${lostCc.join(' ')}`);
        if (lostFiles.length > 0)
          findings.push(`${where}: attachments lost: ${lostFiles.join(', ')} (shown: ${line100})`);
        const { text } = await messageText(payload, {
          fetchBody: async () => '',
          signal: new AbortController().signal,
        });
        const loss = lossOf(reference.texts.join('\n'), text);
        recalls.push(recallOf(loss));
        if (1 - recallOf(loss) > MAX_LOST)
          findings.push(
            `${where}: ${loss.lost.length} of ${loss.words} words lost: ${loss.lost.slice(0, 8).join(' ')}`,
          );
      }
      tell(`${each.name} ${each.version}: ${files.length} files`);
    }
    return {
      missing,
      findings,
      rows: [
        ['mails', String(count), ''],
        ['recipients in Cc shown', `${cc.found} of ${cc.all}`, 'all'],
        ['attachments shown', `${attachments.found} of ${attachments.all}`, 'all'],
        ['words of plain texts lost, median', percent(1 - quantile(recalls, 0.5)), '0 %'],
        ['mails that lose more than 0.1 %', String(recalls.filter((recall) => 1 - recall > MAX_LOST).length), '0'],
      ],
    };
  },
};

function isMail(path: string): boolean {
  return /\.(?:eml|msg|mbox)$|\/msg_\d+\.txt$|\/sample-[\w-]*spam[\w-]*\.txt$|\/mails?\/[^/]*$/i.test(path);
}

function hasFile(shown: readonly { readonly name: string }[], line: string, name: string): boolean {
  if (name === '') return line.includes('unnamed (');
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
  return shown.some((each) => letters(each.name) === letters(name));
}
