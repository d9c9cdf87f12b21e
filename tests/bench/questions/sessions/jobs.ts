import { docxWith, paragraph } from '../../../fixtures/docx.ts';
import {
  call,
  edit,
  glob,
  grep,
  type Job,
  jobUrl,
  look,
  open,
  page,
  read,
  type Session,
  search,
  text,
  todos,
  write,
} from '../session.ts';

const JOBS: readonly Job[] = [
  [
    'TypeScript Developer',
    'Brightleaf',
    'Graz, Austria',
    '€55,000 - €65,000',
    'TypeScript, Node, four days a week possible.',
  ],
  ['Frontend Engineer', 'Kestrel Maps', 'Vienna, Austria', undefined, 'Svelte or React, maps, two days in the office.'],
  ['Full-stack Developer', 'Municipal Data Office', 'Graz, Austria', '€52,000', 'Open data. Accessibility counts.'],
  ['Senior Web Developer', 'Lumen Health', 'Remote', '€68,000', 'Patient portal, TypeScript, on call once a month.'],
  ['Web Developer', 'Alpine Tickets', 'Linz, Austria', undefined, 'Ticket shop, a small team.'],
].map(([title = '', company = '', location = '', salary, description = ''], index) => ({
  number: 4100000001 + index,
  title,
  company,
  location,
  salary,
  description: `<p>${description}</p><ul><li>A friendly team</li><li>Apply by 15 December</li></ul>`,
}));
const url = (index: number) => jobUrl(JOBS[index]?.number ?? 0);

const CV = docxWith(
  ['Ada Berger', 'Web developer for six years: TypeScript, Svelte, accessibility', 'Brno Software, since 2021', 'Graz']
    .map(paragraph)
    .join(''),
);

export const lookForJob: Session = {
  title: 'Look for a job',
  area: 'jobs',
  folder: 'jobs',
  files: { 'cv.docx': CV, 'wishes.md': '# Wishes\n\n- TypeScript\n- Graz or remote\n- four days a week\n' },
  jobs: JOBS,
  turns: [
    {
      person: 'Look for jobs for me on LinkedIn. My CV and my wishes are in this folder.',
      rounds: [
        [read('cv.docx'), read('wishes.md')],
        [
          call('linkedin_jobs', { keyword: 'TypeScript developer', location: 'Graz', dateSincePosted: 'past week' }),
          call('linkedin_jobs', { keyword: 'web developer', location: 'Austria', remoteFilter: 'remote', limit: '15' }),
        ],
        [0, 2, 3].map((index) => call('linkedin_job_detail', { url: url(index) })),
        call('linkedin_jobs', { keyword: 'accessibility frontend', location: 'Graz', sortBy: 'recent' }),
        call('linkedin_job_detail', { url: url(1) }),
      ],
      answer: 'Three fit: Brightleaf (four days), the Municipal Data Office and Lumen Health (remote).',
    },
    {
      person: 'Note the three in a list, with the deadline.',
      rounds: [
        write(
          'list.md',
          '# Jobs\n\n| company | job | until |\n|---|---|---|\n| Brightleaf | TypeScript Developer | 15 December |\n',
        ),
        call('append_file', {
          path: 'list.md',
          content: '| Municipal Data Office | Full-stack Developer | 15 December |\n',
        }),
        read('list.md'),
      ],
      answer: 'They are in list.md.',
    },
  ],
};

export const applyForJob: Session = {
  title: 'Apply for a job',
  area: 'jobs',
  folder: 'jobs',
  files: { 'cv.docx': CV, 'applications/2025-alpine.md': '# Alpine Tickets\n\nDear team,\n\nI would like to …\n' },
  jobs: JOBS,
  remembered: { facts: { 'user.name': 'Ada Berger', 'user.phone': '+43 316 000000' } },
  searches: {
    'Brightleaf Graz company software team': [
      'https://www.brightleaf.io/about',
      'https://www.grazer-wirtschaft.at/brightleaf-portrait',
    ],
  },
  web: {
    'https://www.brightleaf.io/about': page(
      'About us',
      'Forty people, planning software for nurseries.',
      '<p><a href="/team">The team</a></p>',
    ),
    'https://www.brightleaf.io/team': page('The team', 'Mara Lindner leads development.'),
    'https://www.grazer-wirtschaft.at/brightleaf-portrait': page('A portrait', 'Four days a week for all since 2024.'),
  },
  turns: [
    {
      person: `I want to apply at Brightleaf: ${url(0)} Write a draft of the letter, like the one from last year, but better.`,
      rounds: [
        [call('linkedin_job_detail', { url: url(0) }), read('cv.docx'), glob('applications/*.md')],
        [read('applications/2025-alpine.md'), call('get_fact', { key: 'user.name' })],
        search('Brightleaf Graz company software team'),
        [open('https://www.brightleaf.io/about'), open('https://www.grazer-wirtschaft.at/brightleaf-portrait')],
        open('https://www.brightleaf.io/team'),
        write(
          'applications/2026-brightleaf.md',
          text`
            # Brightleaf

            Dear Ms Lindner,

            software for nurseries is what I would like to build: for six years I have made web applications in TypeScript.

            Kind regards
            Ada Berger
          `,
        ),
      ],
      answer:
        'The draft is in applications/2026-brightleaf.md. It is addressed to Mara Lindner, who leads development.',
    },
    {
      person: 'Mention that I would like to work four days, and add my phone number.',
      rounds: [
        call('get_fact', { key: 'user.phone' }),
        edit(
          'applications/2026-brightleaf.md',
          'in TypeScript.\n',
          'in TypeScript.\nThat four days a week are usual with you suits me well.\n',
        ),
        edit('applications/2026-brightleaf.md', 'Ada Berger\n', 'Ada Berger, +43 316 000000\n'),
        read('applications/2026-brightleaf.md'),
      ],
      answer: 'Both are in.',
    },
  ],
};

export const trackApplications: Session = {
  title: 'Keep track of applications',
  area: 'jobs',
  folder: 'jobs',
  files: {
    'applications.csv':
      'company,job,sent,state\nAlpine Tickets,Web Developer,2026-10-02,rejected\nLumen Health,Senior Web Developer,2026-11-03,waiting\n',
    'interviews/lumen.md': '# Lumen Health\n\nInterview on 27 November, 10:00, by video.\n',
  },
  jobs: JOBS,
  searches: {
    'Lumen Health patient portal technology stack': [
      'https://engineering.lumenhealth.eu/stack',
      'https://www.healthit-weekly.com/lumen-portal',
    ],
    'interview questions patient portal accessibility WCAG': [
      'https://www.w3.org/WAI/standards-guidelines/wcag/',
      'https://www.devinterviews.net/accessibility',
    ],
  },
  web: {
    'https://engineering.lumenhealth.eu/stack': page('Our stack', 'TypeScript, Svelte, PostgreSQL.'),
    'https://www.healthit-weekly.com/lumen-portal': page('The portal', 'Two million patients.'),
    'https://www.w3.org/WAI/standards-guidelines/wcag/': page('WCAG 2 overview', 'Version 2.2 is the current one.'),
    'https://www.devinterviews.net/accessibility': page('Accessibility questions', 'What is a live region?'),
  },
  turns: [
    {
      person: 'I sent the application to Brightleaf yesterday. Enter it, and tell me what is still open.',
      rounds: [
        [look('cat applications.csv', 'Read the list'), call('get_date')],
        call('append_file', {
          path: 'applications.csv',
          content: 'Brightleaf,TypeScript Developer,2026-11-20,waiting\n',
        }),
        [look('grep -c waiting applications.csv', 'Count what is open'), grep('Interview', { path: 'interviews' })],
      ],
      answer: 'Two are open: Lumen Health, with an interview on 27 November, and Brightleaf.',
    },
    {
      person: 'Help me prepare for the one at Lumen Health.',
      rounds: [
        [read('interviews/lumen.md'), call('linkedin_job_detail', { url: url(3) })],
        [
          search('Lumen Health patient portal technology stack', 3),
          search('interview questions patient portal accessibility WCAG', 3),
        ],
        [open('https://engineering.lumenhealth.eu/stack'), open('https://www.healthit-weekly.com/lumen-portal')],
        [
          open('https://www.w3.org/WAI/standards-guidelines/wcag/'),
          open('https://www.devinterviews.net/accessibility'),
        ],
        todos(['pending', 'Read about WCAG 2.2'], ['pending', 'Try the portal'], ['pending', 'Test the camera']),
        call('append_file', {
          path: 'interviews/lumen.md',
          content: '\n- They use TypeScript, Svelte and PostgreSQL\n- WCAG 2.2 will come up\n',
        }),
      ],
      answer: 'Your notes have what I found, and there is a list of three things to do.',
    },
  ],
};
