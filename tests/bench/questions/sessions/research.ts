import {
  call,
  edit,
  glob,
  link,
  look,
  open,
  page,
  read,
  type Session,
  saying,
  search,
  text,
  write,
} from '../session.ts';

const BACKUP_PAGES = [
  'https://restic.readthedocs.io/en/stable/060_forget.html',
  'https://borgbackup.readthedocs.io/en/stable/usage/prune.html',
  'https://kopia.io/docs/advanced/retention/',
  'https://www.duplicati.com/articles/smart-retention/',
  'https://blog.quietserver.net/2026/03/backup-tools-compared',
  'https://forum.homelab-talk.org/t/restic-or-borg-for-a-small-office/8841',
] as const;

export const eightPagesAndOpenFiles: Session = {
  title: 'Research with eight pages while files are open',
  area: 'research',
  folder: 'office-backup',
  files: {
    'requirements.md': text`
      # Backup for the office

      - 3 laptops, 1 NAS, about 400 GB
      - restores that somebody who is no expert can do
      - copies of the last 14 days, 8 weeks and 12 months
    `,
    'shortlist.csv': 'tool,licence,tried\nrestic,BSD-2,no\nborg,BSD-3,yes\nkopia,Apache-2,no\nduplicati,MIT,no\n',
    'notes/borg-trial.md': 'Borg on the NAS worked, but needs WSL on the two Windows laptops.\n',
  },
  searches: {
    'restic vs borg vs kopia retention policy small office': [BACKUP_PAGES[4], BACKUP_PAGES[5], BACKUP_PAGES[0]],
    'borg prune keep daily weekly monthly': [BACKUP_PAGES[1]],
    'kopia retention policy keep-daily keep-monthly': [BACKUP_PAGES[2]],
    'duplicati smart backup retention custom': [BACKUP_PAGES[3]],
  },
  web: {
    [BACKUP_PAGES[0]]: page(
      'Removing snapshots according to a policy',
      '--keep-daily 14 --keep-weekly 8 --keep-monthly 12',
    ),
    [BACKUP_PAGES[1]]: page('borg prune', '--keep-daily 14 --keep-weekly 8 --keep-monthly 12'),
    [BACKUP_PAGES[2]]: page('Retention policies', 'kopia policy set --keep-daily 14 --keep-weekly 8 --keep-monthly 12'),
    [BACKUP_PAGES[3]]: page('Smart retention', 'Custom: 14D:1D,8W:1W,12M:1M'),
    [BACKUP_PAGES[4]]: page(
      'Backup tools compared',
      'Restores by people who are no experts: Kopia and Duplicati have a window of their own.',
      link('https://blog.quietserver.net/2026/04/restore-drill', 'The restore drill'),
    ),
    [BACKUP_PAGES[5]]: page(
      'restic or borg for a small office?',
      'Windows laptops decide it: restic runs there, Borg does not.',
    ),
    'https://blog.quietserver.net/2026/04/restore-drill': page(
      'The restore drill',
      'Kopia 6 minutes, restic 11, Borg 14.',
    ),
    'https://kopia.io/docs/installation/': page(
      'Installation',
      'Windows, macOS and Linux; a window (KopiaUI) and a command.',
    ),
  },
  turns: [
    {
      person: 'Which of the tools on my shortlist fits requirements.md best? Please look at what each can keep.',
      rounds: [
        [read('requirements.md'), read('shortlist.csv'), glob('notes/*.md')],
        read('notes/borg-trial.md'),
        search('restic vs borg vs kopia retention policy small office'),
        [open(BACKUP_PAGES[4]), open(BACKUP_PAGES[5]), open(BACKUP_PAGES[0])],
        [
          search('borg prune keep daily weekly monthly', 3),
          search('kopia retention policy keep-daily keep-monthly', 3),
        ],
        [open(BACKUP_PAGES[1]), open(BACKUP_PAGES[2])],
        search('duplicati smart backup retention custom', 3),
        [open(BACKUP_PAGES[3]), open('https://blog.quietserver.net/2026/04/restore-drill')],
        open('https://kopia.io/docs/installation/'),
      ],
      answer: 'All four can keep what you want. Kopia fits best: it runs on Windows and has a window for restores.',
    },
    {
      person: 'Write that down as comparison.md, one paragraph for each, and mark kopia as the choice in the list.',
      rounds: [
        [
          write('comparison.md', '# Comparison\n\nKopia fits best: a window for restores, and it runs on Windows.\n'),
          edit('shortlist.csv', 'kopia,Apache-2,no', 'kopia,Apache-2,chosen'),
        ],
        look('cat comparison.md shortlist.csv', 'Read both again'),
      ],
      answer: 'comparison.md is written, and the list says that Kopia is chosen.',
    },
  ],
};

export const pageAgainstFile: Session = {
  title: 'Compare a page with a file',
  area: 'research',
  folder: 'workshop',
  files: {
    'prices.csv':
      'article,price\noak board 2 m,48.00\nbeech board 2 m,39.50\nlinseed oil 1 l,17.90\nwood glue 750 g,9.40\n',
    'orders/2026-10.md': 'Ordered 6 oak boards at 48.00.\n',
  },
  web: {
    'https://www.waldviertler-holz.at/preise': page(
      'Preise ab 1. November',
      '<table><tr><td>oak board 2 m</td><td>52.00</td></tr><tr><td>beech board 2 m</td><td>39.50</td></tr></table>',
      link('https://www.waldviertler-holz.at/preise/oele', 'Öle und Leime'),
    ),
    'https://www.waldviertler-holz.at/preise/oele': page(
      'Öle und Leime',
      'linseed oil 1 l 18.50, wood glue 750 g 9.40',
    ),
  },
  turns: [
    {
      person: 'Is our prices.csv still right? Our supplier has https://www.waldviertler-holz.at/preise',
      rounds: [
        [read('prices.csv'), open('https://www.waldviertler-holz.at/preise')],
        open('https://www.waldviertler-holz.at/preise/oele'),
        call('search_code', { query: '48.00' }),
      ],
      answer: 'Two are not: oak is 52.00 now, linseed oil 18.50.',
    },
    {
      person: 'Then correct the list.',
      rounds: [
        [
          edit('prices.csv', 'oak board 2 m,48.00', 'oak board 2 m,52.00'),
          edit('prices.csv', 'linseed oil 1 l,17.90', 'linseed oil 1 l,18.50'),
        ],
        saying('52.00', look('cat prices.csv', 'Read it again')),
      ],
      answer: 'Corrected.',
    },
  ],
};

const LAPTOP_PAGES = ['bestlist', 'air-14-review', 'framewell-13-review', 'student-laptops', 'battery-test'].map(
  (path) => `https://www.${path === 'student-laptops' ? 'campus-ratgeber.de' : 'notebooktest.net'}/${path}`,
);

export const whichLaptop: Session = {
  title: 'Which laptop should I buy?',
  area: 'research',
  folder: 'Documents',
  searches: {
    'best light laptop under 1000 euro long battery 2026': LAPTOP_PAGES.slice(0, 3),
    'laptop for students repairable battery test': LAPTOP_PAGES.slice(2),
  },
  web: Object.fromEntries(
    LAPTOP_PAGES.map((url, index) => [
      url,
      page(`Test ${index + 1}`, `It ran for ${9 + index} hours and weighs 1.${index + 1} kg.`),
    ]),
  ),
  turns: [
    {
      person: 'I need a light laptop for university, at most 1000 euros, that lasts a day. What do tests say?',
      rounds: [
        search('best light laptop under 1000 euro long battery 2026', 5),
        LAPTOP_PAGES.slice(0, 3).map(open),
        search('laptop for students repairable battery test'),
        LAPTOP_PAGES.slice(3).map(open),
      ],
      answer: 'The Framewell 13 and the Air 14 come out best; the Framewell can be repaired.',
    },
    {
      person: 'And which of the two is quieter?',
      rounds: [open(LAPTOP_PAGES[1] ?? ''), open(LAPTOP_PAGES[2] ?? '')],
      answer: 'The Air 14: it has no fan.',
    },
  ],
};

const NEWS = {
  'https://www.eastern-post.com/2026/11/20/tram-strike-ends': page(
    'Tram strike ends',
    'After nine days the trams run again from Saturday.',
  ),
  'https://www.cityrail.news/strike-agreement': page(
    'The agreement',
    'Four per cent more from January, and one hour less a week.',
  ),
  'https://en.wikipedia.org/wiki/2026_tram_strike': page('2026 tram strike', 'The strike began on 12 November.'),
  'https://www.transport-union.org/press/2026-11-20': page(
    'Press release',
    'Members vote on the agreement until 5 December.',
  ),
};

export const newsBriefing: Session = {
  title: 'A briefing from the news',
  area: 'research',
  folder: 'briefings',
  files: { '2026-11-13.md': '# Trams, 13 November\n\nThe strike goes on.\n' },
  searches: {
    'tram strike agreement November 2026': Object.keys(NEWS).slice(0, 3),
    'transport union vote on agreement December 2026': Object.keys(NEWS).slice(1),
  },
  web: NEWS,
  turns: [
    {
      person: 'What happened in the tram strike this week? Write me a short briefing like the last one.',
      rounds: [
        [call('get_date'), search('tram strike agreement November 2026')],
        Object.keys(NEWS).slice(0, 3).map(open),
        search('transport union vote on agreement December 2026', 3),
        open('https://www.transport-union.org/press/2026-11-20'),
        [glob('*.md'), read('2026-11-13.md')],
        write(
          '2026-11-21.md',
          '# Trams, 21 November\n\nThe strike ended after nine days; members vote until 5 December.\n',
        ),
      ],
      answer: 'The briefing is in 2026-11-21.md.',
    },
    {
      person: 'Add the sources, please.',
      rounds: [
        call('append_file', {
          path: '2026-11-21.md',
          content: `\nSources:\n${Object.keys(NEWS)
            .map((url) => `- ${url}\n`)
            .join('')}`,
        }),
        read('2026-11-21.md'),
      ],
      answer: 'Added.',
    },
  ],
};

const WEATHER =
  'https://api.open-meteo.com/v1/forecast?latitude=47.07&longitude=15.44&daily=temperature_2m_max,precipitation_sum&timezone=auto';
const PLACES = 'https://geocoding-api.open-meteo.com/v1/search?name=Graz&count=1';
const RATES = 'https://api.frankfurter.dev/v1/latest?base=EUR&symbols=CZK,HUF';

export const publicInterfaces: Session = {
  title: 'Weather and exchange rates for a trip',
  area: 'research',
  folder: 'trips',
  files: {
    'december.md': '# December\n\n- 4 to 6: Graz\n- 11 to 13: Brno, budget 300 €\n',
    'budget.csv': 'trip,euro\nGraz,250\nBrno,300\n',
  },
  web: {
    [PLACES]: '{"results":[{"name":"Graz","latitude":47.07,"longitude":15.44}]}',
    [WEATHER]:
      '{"daily":{"time":["2026-12-04","2026-12-05"],"temperature_2m_max":[4.1,5.0],"precipitation_sum":[0,2.4]}}',
    [RATES]: '{"base":"EUR","date":"2026-11-20","rates":{"CZK":25.1,"HUF":402.4}}',
    'https://open-meteo.com/en/docs': page('Weather Forecast API', 'Give latitude and longitude.'),
  },
  turns: [
    {
      person: 'How will the weather be in Graz at the beginning of December?',
      rounds: [
        call('http_get', { url: PLACES }),
        call('http_get', { url: WEATHER }),
        call('query_json', {
          json: '{"daily":{"temperature_2m_max":[4.1,5.0]}}',
          path: '$.daily.temperature_2m_max[*]',
        }),
      ],
      answer: 'Around 4 to 5 degrees, with some rain on Saturday.',
    },
    {
      person: 'Put that into december.md. And how much is my budget for Brno in crowns?',
      rounds: [
        [read('december.md'), look('cat budget.csv', 'Read the budget')],
        [
          edit('december.md', '- 4 to 6: Graz\n', '- 4 to 6: Graz (4 to 5 degrees, some rain)\n'),
          call('http_get', { url: RATES }),
        ],
        edit('december.md', 'budget 300 €', 'budget 300 € (about 7,500 crowns)'),
      ],
      answer: 'About 7,500 crowns. Both are in december.md.',
    },
  ],
};

const FACTS = {
  'https://en.wikipedia.org/wiki/Semmering_railway': page(
    'Semmering railway',
    'Built from 1848 to 1854; 41 km; 16 viaducts and 14 tunnels.',
  ),
  'https://en.wikipedia.org/wiki/Carl_von_Ghega': page('Carl von Ghega', 'Born in Venice in 1802.'),
  'https://whc.unesco.org/en/list/785': page('Semmering Railway', 'Inscribed in 1998.'),
  'https://www.alpine-rail-history.org/semmering/locomotives': page(
    'The locomotives',
    'The contest of 1851 had four entrants.',
  ),
};

export const factCheck: Session = {
  title: 'Check the facts of a draft',
  area: 'research',
  folder: 'magazine',
  files: {
    'drafts/semmering.md': text`
      # Over the mountain

      The Semmering railway was built from 1848 to 1856 and is 41 km long. It has 16 viaducts and 12 tunnels.
      Carl von Ghega, born in Trieste in 1802, planned it. Five locomotives entered the contest of 1851.
      It has been a World Heritage Site since 1998.
    `,
    'style.md': 'Numbers up to twelve in words.\n',
  },
  searches: {
    'Semmering railway built years length viaducts tunnels': ['https://en.wikipedia.org/wiki/Semmering_railway'],
    'Carl von Ghega born place year': ['https://en.wikipedia.org/wiki/Carl_von_Ghega'],
    'Semmering contest 1851 locomotives entrants': ['https://www.alpine-rail-history.org/semmering/locomotives'],
    'Semmering World Heritage inscription year': ['https://whc.unesco.org/en/list/785'],
  },
  web: FACTS,
  redirects: { 'https://whc.unesco.org/en/list/785/': 'https://whc.unesco.org/en/list/785' },
  turns: [
    {
      person: 'Check every number and name in drafts/semmering.md and correct what is wrong.',
      rounds: [
        [read('drafts/semmering.md'), read('style.md')],
        [
          search('Semmering railway built years length viaducts tunnels', 3),
          search('Carl von Ghega born place year', 3),
        ],
        [open('https://en.wikipedia.org/wiki/Semmering_railway'), open('https://en.wikipedia.org/wiki/Carl_von_Ghega')],
        [
          search('Semmering contest 1851 locomotives entrants', 3),
          search('Semmering World Heritage inscription year', 3),
        ],
        [
          open('https://www.alpine-rail-history.org/semmering/locomotives'),
          open('https://whc.unesco.org/en/list/785/'),
        ],
        edit('drafts/semmering.md', 'to 1856', 'to 1854'),
        edit('drafts/semmering.md', '12 tunnels', '14 tunnels'),
        edit('drafts/semmering.md', 'born in Trieste', 'born in Venice'),
        edit('drafts/semmering.md', 'Five locomotives', 'Four locomotives'),
        read('drafts/semmering.md'),
      ],
      answer: 'Four things were wrong and are corrected: 1854, 14 tunnels, Venice, four locomotives.',
    },
  ],
};

export const settingsByTheManual: Session = {
  title: 'Check a configuration by its manual',
  area: 'research',
  folder: 'garden-blog',
  files: {
    'vite.config.ts': text`
      import { defineConfig } from 'vite';

      export default defineConfig({
        base: 'blog',
        build: { outDir: '../public', assetsInlineLimit: '4kb' },
      });
    `,
    'package.json': '{ "name": "garden-blog", "devDependencies": { "vite": "^8.0.0" } }\n',
    'index.html': '<!doctype html><title>Garden</title>\n',
  },
  web: {
    'https://vite.dev/config/': page(
      'Configuring Vite',
      link('https://vite.dev/config/shared-options', 'Shared options'),
      link('https://vite.dev/config/build-options', 'Build options'),
    ),
    'https://vite.dev/config/shared-options': page(
      'Shared options',
      'base: an absolute path such as /foo/, a full URL, or empty.',
    ),
    'https://vite.dev/config/build-options': page(
      'Build options',
      'assetsInlineLimit: a number of bytes. emptyOutDir: warns outside the root.',
    ),
  },
  turns: [
    {
      person: 'Is our vite.config.ts right? The manual is at https://vite.dev/config/',
      rounds: [
        [read('vite.config.ts'), read('package.json'), open('https://vite.dev/config/')],
        [open('https://vite.dev/config/shared-options'), open('https://vite.dev/config/build-options')],
        look("grep -rn 'blog' --include=*.html --include=*.ts . | head", 'Where is the base used?'),
      ],
      answer: 'Two things: base must begin and end with a slash, and assetsInlineLimit is a number.',
    },
    {
      person: 'Please correct both.',
      rounds: [
        [edit('vite.config.ts', "base: 'blog'", "base: '/blog/'"), edit('vite.config.ts', "'4kb'", '4096')],
        read('vite.config.ts'),
      ],
      answer: 'Corrected.',
    },
  ],
};
