import {
  bash,
  call,
  edit,
  glob,
  grep,
  link,
  look,
  open,
  page,
  read,
  type Session,
  saying,
  search,
  text,
  todos,
  write,
} from '../session.ts';

const ENERGY = 'https://www.energie-ratgeber.at';
const MAKER = 'https://www.nordwarm.com';
const FUNDS = 'https://www.sanierungsbonus.at';
const FORUM = 'https://www.haustechnik-forum.net';

const READINGS = [
  'month,kwh_gas',
  ...[2100, 1900, 1500, 900, 400, 150, 120, 130, 350, 900, 1500, 2000].map(
    (kwh, month) => `2025-${String(month + 1).padStart(2, '0')},${kwh}`,
  ),
];

/** Three sittings in one conversation: what the house needs, what there is, what it costs. */
export const heatPumps: Session = {
  title: 'A heat pump for an old house (long)',
  area: 'research',
  folder: 'house',
  files: {
    'house.md': text`
      # The house

      Built 1978, 140 m² on two floors, radiators, gas boiler of 2004. Roof insulated in 2015, windows of 2019.
    `,
    'gas-2025.csv': `${READINGS.join('\n')}\n`,
    'offers/installer-huber.md': '# Huber\n\nAir to water, 12 kW, 24,900 € with installation.\n',
    'offers/installer-lang.md': '# Lang\n\nAir to water, 8 kW, 21,300 € with installation, noise 52 dB.\n',
    'questions.md':
      '# Questions\n\n- Are the radiators large enough?\n- How loud may it be?\n- Which funding is there?\n',
  },
  remembered: {
    facts: { 'house.address': 'Gartenweg 4, 8010 Graz' },
    memories: { 'How warm do we like it?': '21 degrees' },
  },
  searches: {
    'heat pump old house radiators flow temperature 55 degrees': [
      `${ENERGY}/waermepumpe-altbau`,
      `${FORUM}/t/radiators-and-heat-pumps/2231`,
    ],
    'heating load from gas consumption rule of thumb': [`${ENERGY}/heizlast-abschaetzen`],
    'air to water heat pump 8 kW noise data sheet R290': [
      `${MAKER}/products/aw8`,
      `${MAKER}/products/aw12`,
      'https://www.testberichte-heizung.de/r290-2026',
    ],
    'heat pump noise limit neighbours Styria dB': [
      `${ENERGY}/laermschutz`,
      'https://www.verwaltung.steiermark.at/laermschutz/waermepumpen',
    ],
    'heat pump funding Austria 2026 boiler replacement': [`${FUNDS}/kesseltausch`, `${ENERGY}/foerderungen`],
    'Styria additional funding heat pump 2026': ['https://www.wohnbau.steiermark.at/foerderung/heizung'],
  },
  web: {
    [`${ENERGY}/waermepumpe-altbau`]: page(
      'Heat pumps in old houses',
      'With 55 degrees of flow temperature and insulated roofs most houses of the seventies work.',
      link(`${ENERGY}/heizkoerper-test`, 'Try it: the radiator test'),
    ),
    [`${ENERGY}/heizkoerper-test`]: page(
      'The radiator test',
      'Set the boiler to 55 degrees on a cold day, and see whether it stays warm.',
    ),
    [`${ENERGY}/heizlast-abschaetzen`]: page(
      'Estimating the heating load',
      'Gas in kWh a year, divided by 2,000 hours.',
    ),
    [`${ENERGY}/laermschutz`]: page('Noise', 'At the border of the plot 40 dB at night in residential areas.'),
    [`${ENERGY}/foerderungen`]: page('Funding', 'Federal and regional funding add up.'),
    [`${FORUM}/t/radiators-and-heat-pumps/2231`]: page('Radiators and heat pumps', 'We changed two of nine radiators.'),
    [`${MAKER}/products/aw8`]: page(
      'AW 8',
      'R290, 8 kW at -7 degrees, 49 dB.',
      link(`${MAKER}/products/aw8/datasheet`, 'Data sheet'),
    ),
    [`${MAKER}/products/aw8/datasheet`]: page('AW 8: data sheet', 'SCOP at 55 degrees: 3.6'),
    [`${MAKER}/products/aw12`]: page('AW 12', 'R290, 12 kW at -7 degrees, 54 dB.'),
    'https://www.testberichte-heizung.de/r290-2026': page('Eight heat pumps with R290', 'AW 8: good (1.9)'),
    'https://www.verwaltung.steiermark.at/laermschutz/waermepumpen': page(
      'Noise of heat pumps',
      'Measured at the neighbour.',
    ),
    [`${FUNDS}/kesseltausch`]: page(
      'Boiler replacement',
      'Up to 7,500 euros for private houses.',
      link(`${FUNDS}/kesseltausch/antrag`, 'How to apply'),
    ),
    [`${FUNDS}/kesseltausch/antrag`]: page('How to apply', 'Register first, then order.'),
    'https://www.wohnbau.steiermark.at/foerderung/heizung': page('Funding for heating', '2,000 euros in addition.'),
  },
  turns: [
    {
      person:
        'We think about a heat pump. Everything about the house is in this folder. Would it work at all, and how large must it be?',
      rounds: [
        [
          glob('**/*'),
          read('house.md'),
          read('questions.md'),
          look('head -4 gas-2025.csv && wc -l gas-2025.csv', 'See the readings'),
        ],
        todos(['in_progress', 'What the house needs'], ['pending', 'What there is'], ['pending', 'What it costs']),
        [
          search('heat pump old house radiators flow temperature 55 degrees'),
          search('heating load from gas consumption rule of thumb'),
        ],
        [
          open(`${ENERGY}/waermepumpe-altbau`),
          open(`${ENERGY}/heizlast-abschaetzen`),
          open(`${FORUM}/t/radiators-and-heat-pumps/2231`),
        ],
        open(`${ENERGY}/heizkoerper-test`),
        saying('11950', bash("awk -F, 'NR > 1 { sum += $2 } END { print sum }' gas-2025.csv", 'Add up the year')),
        look('sort -t, -k2 -nr gas-2025.csv | head -3', 'Find the coldest months'),
        call('search_memory', { query: 'how warm at home' }),
        write(
          'notes/need.md',
          '# What the house needs\n\n11,950 kWh a year, so about 6 kW. 55 degrees of flow temperature should do.\n',
        ),
      ],
      answer: 'Yes, most likely: you need about 6 kW, and there is a simple test for the radiators.',
    },
    {
      person: 'Then look at the two offers. Which device is better for us, also because of the neighbours?',
      rounds: [
        [read('offers/installer-huber.md'), read('offers/installer-lang.md')],
        search('air to water heat pump 8 kW noise data sheet R290', 8),
        [
          open(`${MAKER}/products/aw8`),
          open(`${MAKER}/products/aw12`),
          open('https://www.testberichte-heizung.de/r290-2026'),
        ],
        open(`${MAKER}/products/aw8/datasheet`),
        search('heat pump noise limit neighbours Styria dB'),
        [open(`${ENERGY}/laermschutz`), open('https://www.verwaltung.steiermark.at/laermschutz/waermepumpen')],
        grep('dB', { glob: '*.md' }),
        write('notes/devices.md', '# Devices\n\n8 kW is enough and 5 dB quieter. Lang offers that one.\n'),
        [
          todos(
            ['completed', 'What the house needs'],
            ['completed', 'What there is'],
            ['in_progress', 'What it costs'],
          ),
          read('notes/need.md'),
        ],
      ],
      answer: 'The one of Lang: it is large enough, and quieter.',
    },
    {
      person: 'And what remains to be paid after funding?',
      rounds: [
        [search('heat pump funding Austria 2026 boiler replacement'), call('get_fact', { key: 'house.address' })],
        [open(`${FUNDS}/kesseltausch`), open(`${ENERGY}/foerderungen`)],
        [search('Styria additional funding heat pump 2026', 3), open(`${FUNDS}/kesseltausch/antrag`)],
        open('https://www.wohnbau.steiermark.at/foerderung/heizung'),
        bash('echo $((21300 - 7500 - 2000))', 'Subtract the funding'),
        write('notes/costs.md', '# Costs\n\n21,300 − 7,500 − 2,000 = 11,800 €. Register before ordering.\n'),
        edit(
          'questions.md',
          '- Which funding is there?\n',
          '- Which funding is there? 9,500 € in all, see notes/costs.md\n',
        ),
        call('store_memory', {
          question: 'What did we find out about the heat pump?',
          answer: 'Lang, 8 kW, 11,800 € after funding; register before ordering.',
        }),
        [
          todos(['completed', 'What the house needs'], ['completed', 'What there is'], ['completed', 'What it costs']),
          look('cat notes/*.md', 'Read all notes again'),
        ],
      ],
      answer: '11,800 euros. You have to register for the funding before you order.',
    },
  ],
};
