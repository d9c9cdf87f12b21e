import { z } from 'zod';

const dollars = z.number().min(0).max(1_000_000);

const price = z.object({
  input: dollars.meta({ description: 'Tokens that the model reads.', expected: 'dollars, 0 or more' }),
  output: dollars.meta({ description: 'Tokens that it writes, thinking included.', expected: 'dollars, 0 or more' }),
  cacheRead: dollars
    .optional()
    .meta({ description: 'Tokens read from the cache; as `input` if left out.', expected: 'dollars, 0 or more' }),
  cacheWrite: dollars
    .optional()
    .meta({ description: 'Tokens written to the cache; as `input` if left out.', expected: 'dollars, 0 or more' }),
  source: z.string().trim().min(1).max(500).optional().meta({
    description: 'Where you found the price.',
    expected: 'a text, mostly the address of a page',
  }),
  date: z.iso.date().optional().meta({ description: 'When you found it.', expected: 'a date like 2026-11-23' }),
});

/** The values of `prices` in config.json. */
export const prices = z
  .record(z.string().regex(/^[^:\0]{1,64}:[^\0]{1,200}$/), price)
  .default({})
  .meta({
    description:
      'What models cost, in US dollars per million tokens, where Steward does not know it or you pay another price. Each by provider and model: the name of a provider or its type, a colon, and the id of a model or `*` for all of them. A name goes before a type, an id before `*`. Counts from the next request on; earlier costs stay as they are.',
    expected: 'an object of prices',
    examples: [
      {
        'openai:gpt-5': {
          input: 1.25,
          output: 10,
          cacheRead: 0.125,
          source: 'https://openai.com/api/pricing',
          date: '2026-11-23',
        },
      },
    ],
  });
