import { docxWith, paragraph } from '../../../fixtures/docx.ts';
import { bash, call, edit, fails, glob, grep, look, read, type Session, saying, text, write } from '../session.ts';

const DAYS = ['20240612', '20240613', '20240703', '20240704', '20240818'];
const PHOTOS = DAYS.flatMap((day) => ['101502', '143011', '190744', '201355'].map((time) => `IMG_${day}_${time}.jpg`));
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 0xff, 0xd9]);

export const renamePhotos: Session = {
  title: 'Rename photos and sort them by month',
  area: 'files',
  folder: 'Pictures',
  files: {
    ...Object.fromEntries(PHOTOS.map((name) => [name, JPEG])),
    'albums.txt': 'June: lake\nJuly: Ada turns 40\nAugust: mountains\n',
  },
  turns: [
    {
      person: 'My photos have ugly names. I want 2024-06-12 10.15.02.jpg and so on.',
      rounds: [
        [look('ls | head -30', 'See the names'), look('ls | wc -l', 'Count them')],
        look("ls | grep -v '^IMG_[0-9]\\{8\\}_[0-9]\\{6\\}.jpg$'", 'Which do not follow the pattern?'),
        bash(
          'for f in IMG_*.jpg; do n=$(echo "$f" | sed -E "s/IMG_(.{4})(.{2})(.{2})_(.{2})(.{2})(.{2})/\\1-\\2-\\3 \\4.\\5.\\6/"); echo "$f -> $n"; done | head -5',
          'Show what five of them would be called',
        ),
        bash(
          'for f in IMG_*.jpg; do mv -n "$f" "$(echo "$f" | sed -E "s/IMG_(.{4})(.{2})(.{2})_(.{2})(.{2})(.{2})/\\1-\\2-\\3 \\4.\\5.\\6/")"; done',
          'Rename them',
        ),
        saying('2024-06-12 10.15.02.jpg', look('ls | head -30', 'See the new names')),
      ],
      answer: 'All 20 are renamed.',
    },
    {
      person: 'Lovely. Now a folder for each month, named as in albums.txt.',
      rounds: [
        read('albums.txt'),
        bash(
          'mkdir -p "2024-06 lake" "2024-07 Ada turns 40" "2024-08 mountains" && mv 2024-06-*.jpg "2024-06 lake/" && mv 2024-07-*.jpg "2024-07 Ada turns 40/" && mv 2024-08-*.jpg "2024-08 mountains/"',
          'Make the folders and move the photos there',
        ),
        [call('list_files', { directory: '.', recursive: true }), look('du -sh *', 'See how large they are')],
      ],
      answer: 'There are three folders now, with 8, 8 and 4 photos.',
    },
  ],
};

const DOWNLOADS = {
  'invoice-2026-10.pdf': '%PDF-1.4 invoice October',
  'invoice-2026-10 (1).pdf': '%PDF-1.4 invoice October',
  'boarding-pass.pdf': '%PDF-1.4 boarding pass',
  'holiday.zip': 'PK holiday',
  'setup-1.2.zip': 'PK setup',
  'scan001.png': 'PNG scan',
  'cat.jpg': 'JPEG cat',
  'budget.xlsx': 'PK budget',
  'minutes.txt': 'Minutes of the board meeting, 3 November\n',
  'unnamed.txt': 'Shopping: milk, bread, screws 4x40\n',
};

export const sortDownloads: Session = {
  title: 'Sort the downloads',
  area: 'files',
  folder: 'Downloads',
  files: DOWNLOADS,
  turns: [
    {
      person: 'My downloads folder is a mess. What is in there, and what is there twice?',
      rounds: [
        [call('list_directory', {}), look('ls -laS', 'See the sizes')],
        [
          look("find . -maxdepth 1 -type f | sed 's/.*\\.//' | sort | uniq -c | sort -rn", 'Count by kind'),
          look('md5sum * | sort | uniq -w32 -D', 'Find files that are the same'),
        ],
        [read('minutes.txt'), read('unnamed.txt')],
      ],
      answer: 'Ten files: three PDFs, two archives, pictures and texts. The invoice is there twice.',
    },
    {
      person: 'Sort them into folders by kind, and throw the second invoice away.',
      rounds: [
        bash('rm "invoice-2026-10 (1).pdf"', 'Delete the second copy of the invoice'),
        bash('mkdir -p documents pictures archives', 'Make the folders'),
        bash('mv *.pdf *.xlsx *.txt documents/ && mv *.png *.jpg pictures/ && mv *.zip archives/', 'Move the files'),
        bash('mv documents/unnamed.txt documents/shopping-list.txt', 'Give the list a name'),
        look('ls -R', 'See the result'),
      ],
      answer: 'Done: documents, pictures and archives; the list is called shopping-list.txt.',
    },
  ],
};

const CONTRACT = (rent: number, notice: string) =>
  docxWith(
    [
      'Rental agreement',
      'between Ada Berger and the Gartenweg housing cooperative',
      `1. The rent is ${rent} euros a month, due on the fifth.`,
      `2. The period of notice is ${notice}.`,
      '3. Pets are allowed if nobody minds.',
    ]
      .map(paragraph)
      .join(''),
  );

export const readContract: Session = {
  title: 'Read a contract and compare it with the old one',
  area: 'files',
  folder: 'flat',
  files: {
    'contract-2024.docx': CONTRACT(820, 'three months'),
    'contract-2027.docx': CONTRACT(905, 'six months'),
    'notes.md': '# Flat\n\n- asked for pets in writing in May\n',
  },
  turns: [
    {
      person: 'The cooperative sent a new contract. What is in it?',
      rounds: [[glob('*.docx'), read('contract-2027.docx')]],
      answer: 'Rent 905 euros, six months of notice, pets if nobody minds.',
    },
    {
      person: 'What is different from the old one? Note it in notes.md.',
      rounds: [
        [read('contract-2024.docx'), read('notes.md')],
        call('append_file', {
          path: 'notes.md',
          content: '- 2027: rent 905 instead of 820 €, notice six months instead of three\n',
        }),
        saying('905', read('notes.md')),
      ],
      answer: 'The rent rises by 85 euros, and the period of notice doubles. It is in notes.md.',
    },
  ],
};

const SALES = [
  'date,region,article,amount',
  ...Array.from({ length: 60 }, (_, row) => {
    const region = ['north', 'south', 'west'][row % 3];
    return `2026-10-${String(1 + (row % 28)).padStart(2, '0')},${region},${['honey', 'candles'][row % 2]},${10 + ((row * 7) % 50)}`;
  }),
].join('\n');

export const summariseTables: Session = {
  title: 'Summarise tables',
  area: 'files',
  folder: 'beekeeping',
  files: {
    'sales-october.csv': `${SALES}\n`,
    'sales-september.csv': `${SALES.replaceAll('2026-10', '2026-09')}\n`,
    'regions.csv': 'region,person\nnorth,Bo\nsouth,Ada\nwest,Cem\n',
  },
  turns: [
    {
      person: 'How much did each region sell in October, and who is responsible there?',
      rounds: [
        [look('head -3 *.csv', 'See the columns'), look('wc -l *.csv', 'Count the rows')],
        [read('regions.csv'), look('cut -d, -f2 sales-october.csv | sort | uniq -c', 'Count by region')],
        bash(
          "awk -F, 'NR > 1 { sum[$2] += $4 } END { for (region in sum) print region, sum[region] }' sales-october.csv | sort",
          'Add up by region',
        ),
        bash(
          `node -e "const rows = require('fs').readFileSync('sales-october.csv', 'utf8').trim().split('\\n').slice(1).map((r) => r.split(',')); const by = {}; for (const [, , a, n] of rows) by[a] = (by[a] ?? 0) + Number(n); console.log(by)"`,
          'Add up by article',
        ),
      ],
      answer: 'North (Bo), south (Ada) and west (Cem) are close together; honey sells best.',
    },
    {
      person: 'Make a summary of both months for the meeting.',
      rounds: [
        bash(
          "awk -F, 'NR > 1 { sum[$2] += $4 } END { for (region in sum) print region, sum[region] }' sales-september.csv | sort",
          'Add up September by region',
        ),
        write('summary.md', '# Sales\n\n| region | September | October |\n|---|---|---|\n| north | 690 | 690 |\n'),
        edit('summary.md', '| north | 690 | 690 |\n', '| north (Bo) | 690 | 690 |\n| south (Ada) | 680 | 680 |\n'),
        look('cat summary.md', 'Read it again'),
      ],
      answer: 'summary.md has both months by region.',
    },
  ],
};

export const writeLetter: Session = {
  title: 'Write a letter',
  area: 'files',
  folder: 'letters',
  files: {
    'templates/letter.md':
      '{sender}\n\n{recipient}\n\n{date}\n\n**{subject}**\n\nDear {name},\n\n{text}\n\nKind regards\n{signature}\n',
    'sent/2026-03-02-insurance.md':
      'Ada Berger, Gartenweg 4\n\n**Claim 4711**\n\nDear Ms Novak,\n\nplease find the photos enclosed.\n',
  },
  remembered: {
    facts: { 'user.name': 'Ada Berger', 'user.address': 'Gartenweg 4, 8010 Graz' },
    memories: { 'Who is our contact at the insurance?': 'Ms Novak, household claims' },
  },
  turns: [
    {
      person:
        'Write to our insurance: the claim from March has still not been paid. Friendly, but firm. Use my template.',
      rounds: [
        [glob('**/*.md'), call('get_fact', { key: 'user.name' }), call('get_fact', { key: 'user.address' })],
        [
          read('templates/letter.md'),
          read('sent/2026-03-02-insurance.md'),
          call('search_memory', { query: 'contact at the insurance' }),
          call('get_date'),
        ],
        write(
          'drafts/insurance-reminder.md',
          text`
            Ada Berger, Gartenweg 4, 8010 Graz

            **Claim 4711: not paid yet**

            Dear Ms Novak,

            in March I sent you the photos for this claim. I have not heard from you since.
            Please pay until 15 December.

            Kind regards
            Ada Berger
          `,
        ),
      ],
      answer: 'The letter is in drafts/insurance-reminder.md.',
    },
    {
      person: 'A bit shorter, and ask them to call me.',
      rounds: [
        edit('drafts/insurance-reminder.md', ' I have not heard from you since.\n', '\n'),
        edit(
          'drafts/insurance-reminder.md',
          'Please pay until 15 December.',
          'Please pay until 15 December, or call me.',
        ),
        read('drafts/insurance-reminder.md'),
      ],
      answer: 'Shorter now, and it asks for a call.',
    },
  ],
};

const INVOICES = Object.fromEntries(
  ['Huber Electric', 'City Water', 'Huber Electric', 'Paper Mill', 'Phone Co', 'City Water'].map((company, index) => [
    `invoices/scan-${index + 1}.txt`,
    `${company}\nInvoice ${2026100 + index}\nDate: 2026-1${index % 2}-0${index + 1}\nTotal: ${40 + index * 13}.50\n${index % 3 === 0 ? 'Paid\n' : ''}`,
  ]),
);

export const invoicesToTable: Session = {
  title: 'Put invoices into a table',
  area: 'files',
  folder: 'bookkeeping',
  files: { ...INVOICES, 'accounts.md': '# Accounts\n\n- 7200 electricity\n- 7300 water\n- 7600 office\n' },
  turns: [
    {
      person: 'The scans in invoices/ need to go into a table: company, number, date, total, paid or not.',
      rounds: [
        [call('list_files', { directory: 'invoices' }), read('accounts.md')],
        [
          look("grep -h '^Total' invoices/*.txt | sort", 'See the totals'),
          look('grep -L Paid invoices/*.txt', 'Which are not paid?'),
          grep('^Date', { path: 'invoices' }),
        ],
        [1, 2, 3, 4, 5, 6].map((number) => read(`invoices/scan-${number}.txt`)),
        write(
          'invoices.csv',
          'company,number,date,total,paid\nHuber Electric,2026100,2026-10-01,40.50,yes\nCity Water,2026101,2026-11-02,53.50,no\n',
        ),
        call('append_file', {
          path: 'invoices.csv',
          content: 'Huber Electric,2026102,2026-10-03,66.50,no\nPaper Mill,2026103,2026-11-04,79.50,yes\n',
        }),
        bash("awk -F, 'NR > 1 { sum += $4 } END { print sum }' invoices.csv", 'Check the sum'),
      ],
      answer: 'invoices.csv is there.',
    },
    {
      person: 'Call the scans by company and number, please.',
      rounds: [
        bash(
          'cd invoices && for f in scan-*.txt; do mv -n "$f" "$(head -1 "$f" | tr " A-Z" "-a-z")-$(grep -o "[0-9]\\{7\\}" "$f" | head -1).txt"; done',
          'Rename the scans',
        ),
        saying('huber-electric-2026100.txt', look('ls invoices', 'See the new names')),
        fails(look('ls invoices | grep scan', 'Is any left?')),
      ],
      answer: 'All six are renamed.',
    },
  ],
};
