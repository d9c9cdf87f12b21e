import {
  bash,
  edit,
  fails,
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
} from '../session.ts';

const SHOP = {
  'package.json': text`
    {
      "name": "corner-shop",
      "version": "1.3.0",
      "type": "module",
      "scripts": { "test": "node --test" }
    }
  `,
  'src/money.js': text`
    /** Amounts are euros. */
    export function add(a, b) {
      return a + b;
    }

    export function percentOf(amount, percent) {
      return amount * percent / 100;
    }

    export function format(amount) {
      return amount.toFixed(2).replace('.', ',') + ' €';
    }
  `,
  'src/cart.js': text`
    import { add, percentOf } from './money.js';

    export function total(items, discountPercent = 0) {
      const sum = items.reduce((so, item) => add(so, item.price * item.quantity), 0);
      return sum - percentOf(sum, discountPercent);
    }

    export function isFreeShipping(items) {
      return total(items) > 50;
    }
  `,
  'test/cart.test.js': text`
    import assert from 'node:assert/strict';
    import test from 'node:test';
    import { isFreeShipping, total } from '../src/cart.js';

    test('adds cents exactly', () => {
      assert.equal(total([{ price: 0.1, quantity: 1 }, { price: 0.2, quantity: 1 }]), 0.3);
    });

    test('rounds a discount to cents', () => {
      assert.equal(total([{ price: 9.99, quantity: 1 }], 15), 8.49);
    });

    test('ships free from 50 euros on', () => {
      assert.equal(isFreeShipping([{ price: 25, quantity: 2 }]), true);
    });
  `,
};

export const bugWithSixTestRuns: Session = {
  title: 'Fix a bug with six test runs',
  area: 'developer',
  folder: 'corner-shop',
  files: SHOP,
  turns: [
    {
      person: 'Three tests of the cart fail since I changed it yesterday. Can you find out why and fix it?',
      rounds: [
        [read('package.json'), read('src/cart.js'), read('test/cart.test.js')],
        saying('ERR_ASSERTION', bash('npm test 2>&1 | tail -40', 'Run the tests')),
        [read('src/money.js'), grep('percentOf|add\\(', { glob: '*.js' })],
        edit('src/money.js', '  return a + b;', '  return Math.round((a + b) * 100) / 100;'),
        bash('npm test 2>&1 | tail -40', 'Run the tests again'),
        edit('src/money.js', '  return amount * percent / 100;', '  return Math.round(amount * percent) / 100;'),
        bash('npm test 2>&1 | tail -40', 'Run the tests again'),
        edit(
          'src/cart.js',
          '  return sum - percentOf(sum, discountPercent);',
          '  return Math.round((sum - percentOf(sum, discountPercent)) * 100) / 100;',
        ),
        bash('node --test test/cart.test.js 2>&1 | head -60', 'Run only the tests of the cart'),
        edit('src/cart.js', 'return total(items) > 50;', 'return total(items) >= 50;'),
        bash('node --test test/cart.test.js 2>&1 | head -60', 'Run only the tests of the cart'),
        saying('fail 0', bash('npm test 2>&1 | tail -40', 'Run all tests a last time')),
      ],
      answer: 'All three are fixed: sums and discounts are rounded to cents, and 50 euros ship free again.',
    },
  ],
};

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects';

export const bugWithDocumentation: Session = {
  title: 'Fix a bug with six test runs and documentation pages',
  area: 'developer',
  folder: 'club-calendar',
  files: {
    'package.json': '{ "name": "club-calendar", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/dates.js': text`
      /** The day of a meeting, as members read it. */
      export function dayOf(iso, locale = 'de-AT') {
        return new Date(iso).toLocaleDateString(locale);
      }

      export function isSameDay(a, b) {
        return a.slice(0, 10) === b.slice(0, 10);
      }
    `,
    'src/agenda.js': text`
      import { dayOf, isSameDay } from './dates.js';

      export function agenda(meetings) {
        return meetings.map((meeting, index) => {
          const isNewDay = index === 0 || !isSameDay(meetings[index - 1].start, meeting.start);
          return (isNewDay ? dayOf(meeting.start) + '\\n' : '') + '- ' + meeting.title;
        });
      }
    `,
    'test/dates.test.js': text`
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import { agenda } from '../src/agenda.js';
      import { dayOf, isSameDay } from '../src/dates.js';

      test('writes the day with its weekday', () => {
        assert.equal(dayOf('2026-11-21T18:00:00Z'), 'Samstag, 21. November');
      });

      test('takes the day where the club is', () => {
        assert.equal(dayOf('2026-11-21T23:30:00Z'), 'Sonntag, 22. November');
      });

      test('compares days where the club is', () => {
        assert.equal(isSameDay('2026-11-21T23:30:00Z', '2026-11-22T10:00:00Z'), true);
      });

      test('says each day once', () => {
        const meetings = ['2026-11-21T23:30:00Z', '2026-11-22T10:00:00Z'].map((start) => ({ start, title: 'Board' }));
        assert.deepEqual(agenda(meetings), ['Sonntag, 22. November\\n- Board', '- Board']);
      });
    `,
  },
  searches: {
    'Intl.DateTimeFormat weekday long month long timeZone option': [
      `${MDN}/Intl/DateTimeFormat/DateTimeFormat`,
      `${MDN}/Date/toLocaleDateString`,
      'https://stackoverflow.com/questions/3552461/how-do-i-format-a-date-in-javascript',
    ],
    'node.js Intl full-icu time zone support': ['https://nodejs.org/api/intl.html'],
  },
  web: {
    [`${MDN}/Intl/DateTimeFormat/DateTimeFormat`]: page(
      'Intl.DateTimeFormat() constructor',
      'weekday: the representation of the weekday, "long", "short" or "narrow". timeZone: an IANA time zone name.',
      link(`${MDN}/Intl/DateTimeFormat/formatToParts`, 'Intl.DateTimeFormat.prototype.formatToParts()'),
    ),
    [`${MDN}/Intl/DateTimeFormat/formatToParts`]: page(
      'Intl.DateTimeFormat.prototype.formatToParts()',
      'Returns an array of objects, each of a type such as "day", "month" or "year".',
    ),
    [`${MDN}/Date/toLocaleDateString`]: page('Date.prototype.toLocaleDateString()', 'Takes locales and options.'),
    'https://stackoverflow.com/questions/3552461/how-do-i-format-a-date-in-javascript': page(
      'How do I format a date in JavaScript?',
      'Use Intl.DateTimeFormat with options.',
    ),
    'https://nodejs.org/api/intl.html': page('Internationalization support', 'Node is built with full ICU by default.'),
  },
  turns: [
    {
      person:
        'The agenda shows wrong days for evening meetings, and without the weekday. There are tests. Please fix it.',
      rounds: [
        [read('src/dates.js'), read('src/agenda.js'), read('test/dates.test.js')],
        saying('ERR_ASSERTION', bash('npm test 2>&1 | tail -40', 'Run the tests')),
        search('Intl.DateTimeFormat weekday long month long timeZone option'),
        [open(`${MDN}/Intl/DateTimeFormat/DateTimeFormat`), open(`${MDN}/Date/toLocaleDateString`)],
        edit(
          'src/dates.js',
          '  return new Date(iso).toLocaleDateString(locale);',
          "  return new Date(iso).toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long' });",
        ),
        bash('npm test 2>&1 | tail -40', 'Run the tests'),
        [search('node.js Intl full-icu time zone support', 3)],
        open('https://nodejs.org/api/intl.html'),
        edit('src/dates.js', "month: 'long' }", "month: 'long', timeZone: 'Europe/Vienna' }"),
        bash('npm test 2>&1 | tail -40', 'Run the tests'),
        open(`${MDN}/Intl/DateTimeFormat/formatToParts`),
        edit('src/dates.js', '  return a.slice(0, 10) === b.slice(0, 10);', '  return dayOf(a) === dayOf(b);'),
        bash('node --test test/dates.test.js', 'Run the tests of dates'),
        edit('test/dates.test.js', "test('says each day once'", "test('says each day only once'"),
        saying('pass 4', bash('node --test test/dates.test.js', 'Run the tests of dates')),
        saying('fail 0', bash('npm test 2>&1 | tail -40', 'Run all tests')),
      ],
      answer: 'Days are those of Vienna now, with the weekday; all tests pass.',
    },
  ],
};

const GITHUB = 'https://github.com/wordsmith/slugger';
const CHANGELOG = 'https://raw.githubusercontent.com/wordsmith/slugger/main/CHANGELOG.md';

export const upgradeDependency: Session = {
  title: 'Upgrade a dependency',
  area: 'developer',
  folder: 'recipe-site',
  packages: {
    slugger: {
      '1.4.2':
        "export function slug(text, separator) { return text.toLowerCase().replace(/[^a-z0-9]+/g, separator ?? '-'); }\n",
      '2.0.1':
        "export function slugify(text, { separator = '-' } = {}) { return text.toLowerCase().replace(/[^a-z0-9]+/g, separator); }\n",
    },
  },
  files: {
    'package.json': text`
      {
        "name": "recipe-site",
        "version": "1.0.0",
        "type": "module",
        "scripts": { "test": "node --test" },
        "dependencies": { "slugger": "^1.4.0" }
      }
    `,
    '.gitignore': 'node_modules\n',
    'src/urls.js': text`
      import { slug } from 'slugger';

      export const urlOf = (recipe) => '/recipes/' + slug(recipe.title);
    `,
    'src/tags.js': text`
      import { slug } from 'slugger';

      export const tagId = (tag) => slug(tag, '_');
    `,
    'test/urls.test.js': text`
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import { tagId } from '../src/tags.js';
      import { urlOf } from '../src/urls.js';

      test('makes addresses', () => assert.equal(urlOf({ title: 'Apple Pie' }), '/recipes/apple-pie'));
      test('makes ids', () => assert.equal(tagId('Quick Meals'), 'quick_meals'));
    `,
  },
  repository: {},
  searches: {
    'slugger npm 2.0 migration breaking changes': [`${GITHUB}/releases`, 'https://wordsmith.dev/slugger/migrating'],
  },
  web: {
    [`${GITHUB}/releases`]: page(
      'Releases · wordsmith/slugger',
      '2.0.0: slug() is now slugify(), and the separator is an option.',
      link('https://wordsmith.dev/slugger/migrating', 'How to migrate'),
    ),
    [CHANGELOG]: '<pre>## 2.0.1\n\n- Types are right again</pre>',
    'https://wordsmith.dev/slugger/migrating': page(
      'Migrating to slugger 2',
      'slug(a, b) becomes slugify(a, { separator: b }).',
    ),
  },
  turns: [
    {
      person: 'Can you bring slugger to version 2? Tell me what breaks first.',
      rounds: [
        [read('package.json'), grep('slugger', { glob: '*.js' })],
        bash('npm install', 'Install what package.json names'),
        [
          fails(bash('npm outdated', 'See which versions there are')),
          saying('pass 2', bash('npm test 2>&1 | tail -15', 'Are the tests green before?')),
        ],
        search('slugger npm 2.0 migration breaking changes'),
        [open(`${GITHUB}/releases`), open('https://wordsmith.dev/slugger/migrating')],
        open(CHANGELOG),
        [read('src/urls.js'), read('src/tags.js')],
      ],
      answer: 'slug() was renamed to slugify(), and its separator is an option now. Two files use it.',
    },
    {
      person: 'Fine, go ahead.',
      rounds: [
        bash('npm install slugger@2', 'Install version 2'),
        saying('fail', bash('npm test 2>&1 | tail -15', 'Run the tests')),
        [
          edit('src/urls.js', "import { slug } from 'slugger';", "import { slugify } from 'slugger';"),
          edit('src/tags.js', "import { slug } from 'slugger';", "import { slugify } from 'slugger';"),
        ],
        [
          edit('src/urls.js', 'slug(recipe.title)', 'slugify(recipe.title)'),
          edit('src/tags.js', "slug(tag, '_')", "slugify(tag, { separator: '_' })"),
        ],
        saying('pass 2', bash('npm test 2>&1 | tail -15', 'Run the tests')),
        [fails(look("grep -rn 'slug(' src", 'Is the old name gone?')), bash('git diff --stat', 'See what changed')],
      ],
      answer: 'slugger is at 2.0.1, both uses are adapted, and the tests pass.',
    },
  ],
};
