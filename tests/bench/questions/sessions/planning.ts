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
  search,
  text,
  todos,
  write,
} from '../session.ts';

export const planWeek: Session = {
  title: 'Plan a week',
  area: 'planning',
  folder: 'plans',
  files: {
    'tasks.md':
      '# Tasks\n\n- [ ] tax return (until 30 November)\n- [ ] call the dentist\n- [ ] winter tyres\n- [x] renew the library card\n',
    'appointments.ics': text`
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      DTSTART:20261124T090000
      SUMMARY:Team meeting
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261126T170000
      SUMMARY:Choir
      END:VEVENT
      END:VCALENDAR
    `,
    'weeks/2026-W47.md': '# Week 47\n\n- Mon: gym\n- left over: tax return\n',
  },
  remembered: {
    memories: { 'When does the person like to work on paperwork?': 'In the morning, before ten' },
    facts: { 'gym.days': 'Monday and Friday' },
  },
  turns: [
    {
      person: 'Plan next week for me: tasks, appointments, gym. Leave Thursday evening free.',
      rounds: [
        [call('get_date'), read('tasks.md'), read('appointments.ics'), glob('weeks/*.md')],
        [
          read('weeks/2026-W47.md'),
          call('get_fact', { key: 'gym.days' }),
          call('search_memory', { query: 'when paperwork' }),
        ],
        todos(
          ['pending', 'Tax return on Tuesday morning'],
          ['pending', 'Call the dentist'],
          ['pending', 'Winter tyres'],
        ),
        write(
          'weeks/2026-W48.md',
          '# Week 48\n\n- Mon: gym\n- Tue: tax return until nine, then the meeting\n- Wed: dentist, tyres\n- Fri: gym\n',
        ),
      ],
      answer: 'The plan is in weeks/2026-W48.md. Choir is on Thursday at five: shall it stay?',
    },
    {
      person: 'Yes, choir stays. And remember that I never want gym on Wednesdays.',
      rounds: [
        [
          edit('weeks/2026-W48.md', '- Fri: gym\n', '- Thu: choir\n- Fri: gym\n'),
          call('set_fact', { key: 'gym.never', value: 'Wednesday' }),
        ],
        look('cat weeks/2026-W48.md', 'Read the plan again'),
      ],
      answer: 'Done, and remembered.',
    },
  ],
};

export const rememberAndRecall: Session = {
  title: 'Remember things and find them again',
  area: 'planning',
  folder: 'Documents',
  files: {
    'gifts.md': '# Gifts\n\n- 2025: Mum – scarf, Bo – book about trains\n',
    'birthdays.csv': 'name,day\nMum,12-14\nBo,01-09\n',
  },
  remembered: {
    memories: {
      'What does Mum wish for?': 'A bird feeder for the balcony',
      'Which sizes does Bo wear?': 'Shoes 43, shirts M',
    },
  },
  turns: [
    {
      person: 'Remember: Bo likes sour apples, and the spare key is with Cem.',
      rounds: [
        [
          call('store_memory', { question: 'What does Bo like to eat?', answer: 'Sour apples' }),
          call('set_fact', { key: 'home.spare_key', value: 'with Cem' }),
        ],
      ],
      answer: 'I will.',
    },
    {
      person: 'What could I give Mum and Bo, and when are their birthdays?',
      rounds: [
        [
          call('search_memory', { query: 'Mum wishes' }),
          call('search_memory', { query: 'Bo likes' }),
          read('gifts.md'),
          look('cat birthdays.csv', 'See the days'),
        ],
        call('append_file', { path: 'gifts.md', content: '- 2026: Mum – bird feeder, Bo – basket of sour apples\n' }),
      ],
      answer: 'A bird feeder for Mum (14 December), a basket of apples for Bo (9 January). I noted both.',
    },
    {
      person: 'Where was the spare key again? Cem moves away; it is with Mum from now on.',
      rounds: [
        call('get_fact', { key: 'home.spare_key' }),
        call('set_fact', { key: 'home.spare_key', value: 'with Mum' }),
      ],
      answer: 'It was with Cem; now I know that it is with Mum.',
    },
  ],
};

const PLACES = [
  'https://www.gasthaus-zur-linde.at/feiern',
  'https://www.stadtgarten-graz.at/raum-mieten',
  'https://www.partyraum-vergleich.at/graz',
] as const;

export const planParty: Session = {
  title: 'Plan a birthday party',
  area: 'planning',
  folder: 'party',
  files: {
    'guests.csv': 'name,comes,diet\nBo,yes,\nCem,yes,vegetarian\nDina,maybe,\nEva,yes,no nuts\n',
    'budget.md': '# Budget\n\n400 € in all\n',
  },
  remembered: { facts: { 'user.city': 'Graz' } },
  searches: {
    'rent room for birthday party Graz 20 people': [PLACES[2], PLACES[0], PLACES[1]],
    'vegetarian finger food without nuts recipes': [
      'https://www.kitchen-stories.blog/finger-food',
      'https://www.rezeptwelt.eu/ohne-nuesse',
    ],
  },
  web: {
    [PLACES[0]]: page('Celebrate with us', 'From 15 people, 180 euros.', link(`${PLACES[0]}/preise`, 'Prices')),
    [`${PLACES[0]}/preise`]: page('Prices', 'Friday 180 €, Saturday 240 €.'),
    [PLACES[1]]: page('Rent a room', '120 euros, bring your own food.'),
    [PLACES[2]]: page('Party rooms in Graz', link(PLACES[0], 'Gasthaus zur Linde'), link(PLACES[1], 'Stadtgarten')),
    'https://www.kitchen-stories.blog/finger-food': page('Finger food', 'Filled mushrooms, small pies.'),
    'https://www.rezeptwelt.eu/ohne-nuesse': page('Without nuts', 'Pumpkin bites.'),
  },
  turns: [
    {
      person:
        'I want to celebrate my birthday in January. Guests and budget are in this folder. Where could we go, and what is there to eat?',
      rounds: [
        [look('cat guests.csv budget.md', 'Read both files'), call('get_fact', { key: 'user.city' })],
        search('rent room for birthday party Graz 20 people'),
        [open(PLACES[2]), open(PLACES[0]), open(PLACES[1])],
        open(`${PLACES[0]}/preise`),
        search('vegetarian finger food without nuts recipes', 4),
        [open('https://www.kitchen-stories.blog/finger-food'), open('https://www.rezeptwelt.eu/ohne-nuesse')],
        write('plan.md', '# Birthday\n\nStadtgarten, 120 €. Finger food: mushrooms, pumpkin bites.\n'),
        todos(['pending', 'Ask for the room'], ['pending', 'Ask Dina'], ['pending', 'Shopping']),
      ],
      answer: 'The Stadtgarten is within your budget. The plan is in plan.md.',
    },
    {
      person: 'Good. Dina comes too. Remember that I chose the Stadtgarten.',
      rounds: [
        [
          edit('guests.csv', 'Dina,maybe,', 'Dina,yes,'),
          call('store_memory', {
            question: 'Where does the birthday of 2027 take place?',
            answer: 'In the Stadtgarten',
          }),
        ],
        read('guests.csv'),
      ],
      answer: 'Noted and remembered.',
    },
  ],
};
