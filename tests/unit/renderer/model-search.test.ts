import { describe, expect, test } from 'vitest';
import type { ModelGroup, ModelLists, ModelRow } from '../../../src-preload/contract/providers.ts';
import { ageText, modelFacts } from '../../../src-renderer/ui/models/model-facts.ts';
import { ModelSearch, ROW_HEIGHT } from '../../../src-renderer/ui/models/model-search.svelte.ts';

const model = (provider: string, id: string): ModelRow => ({
  specification: `${provider}:${id}`,
  id,
  label: id,
  contextTokens: null,
  price: null,
  abilities: null,
});
const group = (provider: string, ...ids: string[]): ModelGroup => ({
  provider,
  label: provider,
  sentTo: null,
  listedAt: null,
  problem: null,
  models: ids.map((id) => model(provider, id)),
});
const LISTS: ModelLists = {
  groups: [group('guide', 'guide'), group('groq', 'llama-small', 'llama-large'), group('work', 'gpt-large')],
  recent: ['work:gpt-large', 'gone:model'],
};
const shown = (search: ModelSearch) =>
  search.items.map((item) => (item.kind === 'head' ? (item.group?.provider ?? 'recent') : item.model.id));

describe('the list of models', () => {
  test('recent ones come first, the others by provider; models that no longer exist are left out', () => {
    const search = new ModelSearch(() => LISTS);
    expect(shown(search)).toEqual([
      'recent',
      'gpt-large',
      'guide',
      'guide',
      'groq',
      'llama-small',
      'llama-large',
      'work',
      'gpt-large',
    ]);
  });

  test('every word has to match, in the name of the model or of its provider', () => {
    const search = new ModelSearch(() => LISTS);
    search.typed('large GROQ');
    expect(shown(search)).toEqual(['groq', 'llama-large']);
    search.typed('nothing');
    expect(shown(search)).toEqual([]);
    expect(search.activeItem).toBeUndefined();
  });

  test('a model is found by its name, and a recent one says its provider as the heading does', () => {
    const named = { ...model('anthropic', 'claude-sonnet-5-5'), label: 'Claude Sonnet 5.5' };
    const claude: ModelGroup = { ...group('anthropic'), label: 'Anthropic', models: [named] };
    const search = new ModelSearch(() => ({ groups: [claude], recent: [named.specification] }));
    expect(search.models[0]).toMatchObject({ isRecent: true, provider: 'Anthropic' });
    search.typed('Claude Sonnet 5.5');
    expect(shown(search)).toEqual(['anthropic', 'claude-sonnet-5-5']);
  });

  test('what is typed is a deployment, where the service does not list them', () => {
    const azure: ModelGroup = { ...group('azure', 'gpt-5-eu'), isTyped: true };
    const search = new ModelSearch(() => ({ groups: [group('groq', 'llama'), azure], recent: [] }));
    search.typed('team-chat');
    expect(shown(search)).toEqual(['azure', 'team-chat']);
    expect(search.activeItem?.model.specification).toBe('azure:team-chat');
    search.typed(' Azure:team-chat ');
    expect(search.activeItem?.model.specification).toBe('azure:team-chat');
    for (const query of ['GPT-5-EU', 'azure:GPT-5-eu']) {
      search.typed(query);
      expect(search.models.filter(({ model }) => model.label.startsWith('Deployment'))).toEqual([]);
    }
    search.typed('two words');
    expect(shown(search)).toEqual([]);
  });

  test('the keyboard begins at the chosen model and stays within the list', () => {
    const search = new ModelSearch(() => LISTS);
    search.begin('groq:llama-large');
    expect(search.activeItem?.model.id).toBe('llama-large');
    search.move(100);
    expect(search.activeItem?.provider).toBe('work');
    search.move(-100);
    expect(search.active).toBe(0);
    search.typed('llama');
    expect(search.activeItem?.model.id).toBe('llama-small');
  });

  test('of a thousand models, only those in view are drawn, and the one the keyboard is on', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `model-${index}`);
    const search = new ModelSearch(() => ({ groups: [group('big', ...ids)], recent: [] }));
    search.moveTo('last');
    const drawn = search.drawn(200 * ROW_HEIGHT, 8 * ROW_HEIGHT);
    expect(drawn.length).toBeLessThan(30);
    expect(drawn.map(({ key }) => key)).toContain(search.activeItem?.key);
    expect(drawn.some((item) => item.kind === 'model' && item.model.id === 'model-204')).toBe(true);
  });
});

test('what is known of a model, in few words', () => {
  const facts = (values: Partial<ModelRow>) => modelFacts({ ...model('a', 'b'), ...values });
  expect(facts({})).toEqual([]);
  expect(
    facts({
      contextTokens: 1_048_576,
      price: { input: 0.075, output: 0.6 },
      abilities: ['tools', 'images', 'thinking'],
    }),
  ).toEqual(['1.05M context', '$0.075 in, $0.60 out', 'images', 'thinking']);
  expect(facts({ contextTokens: 131_072, price: { input: 0, output: 0 } })).toEqual(['131k context', 'free']);
});

test('how old a list is', () => {
  const now = Date.parse('2031-03-04T12:00:00Z');
  expect(ageText('2031-03-04T11:59:40Z', now)).toBe('just now');
  expect(ageText('2031-03-04T11:20:00Z', now)).toBe('40 minutes ago');
  expect(ageText('2031-03-01T12:00:00Z', now)).toBe('3 days ago');
});
