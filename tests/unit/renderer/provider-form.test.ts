import { expect, test } from 'vitest';
import type { ProviderRow } from '../../../src-preload/contract/providers.ts';
import { filledForm, ProviderDraft } from '../../../src-renderer/settings/models/provider-draft.svelte.ts';
import { emptyKeyText, removalText, temperatureText } from '../../../src-renderer/settings/models/provider-texts.ts';
import type { TestedForm } from '../../../src-renderer/settings/models/providers-store.svelte.ts';

const unknown = { contextTokens: null, price: null, abilities: null };
const works: TestedForm = {
  test: { works: true, code: 'ok', message: 'It works.', at: '2031-03-04T12:00:00.000Z' },
  models: [{ specification: 'other:small', id: 'small', label: 'small', ...unknown }],
};

function testedDraft(): ProviderDraft {
  const draft = new ProviderDraft({ ...filledForm('other', []), baseUrl: 'http://127.0.0.1:8080/v1' });
  draft.beginTest()(works);
  return draft;
}

test('a test says nothing about another address, key or type', () => {
  const edits: ((draft: ProviderDraft) => void)[] = [
    (draft) => Object.assign(draft, { baseUrl: 'http://localhost:8080/v1' }),
    (draft) => Object.assign(draft, { key: 'another' }),
    (draft) => Object.assign(draft, { type: 'anthropic' }),
  ];
  for (const edit of edits) {
    const draft = testedDraft();
    expect(draft.tested).toMatchObject(works);
    edit(draft);
    expect([draft.tested, draft.listed]).toEqual([null, []]);
  }
  // What was entered while the test ran was not tested.
  const draft = testedDraft();
  const take = draft.beginTest();
  draft.baseUrl = 'http://localhost:8080/v1';
  take(works);
  expect(draft.tested).toBeNull();
});

test('a name that could not be used is reported at its field; one that config.json has may stay', () => {
  const draft = new ProviderDraft({ ...filledForm('other', []), name: 'a:b' }, { writtenName: 'a:b' });
  expect(draft.problems.name).toBeUndefined();
  for (const name of ['', 'a  b', 'x:y', '"x"', 'Guide', 'a\u202eb']) {
    draft.name = name;
    expect(draft.problems.name, JSON.stringify(name)).toBeDefined();
  }
  draft.name = 'my provider';
  expect(draft.problems.name).toBeUndefined();
});

test('a model of the list keeps the result, one that was not tested does not; one that is not listed is noticed', () => {
  const draft = testedDraft();
  draft.model = 'small';
  expect([draft.tested, draft.isUnlisted]).toEqual([expect.objectContaining(works), false]);
  draft.beginTest()(works);
  draft.model = 'smal';
  expect([draft.tested, draft.listed, draft.isUnlisted]).toEqual([null, works.models, true]);
});

test('the vendor’s key is promised only for an address that gets it', () => {
  const used = /your OpenAI key from Keys is used/;
  expect(emptyKeyText('openai', '')).toMatch(used);
  expect(emptyKeyText('openai', '', { needsAddress: true })).toBe('');
  expect(emptyKeyText('openai', 'https://api.openai.com/v1', { needsAddress: true })).toMatch(used);
  expect(emptyKeyText('openai', 'http://api.openai.com/v1')).toMatch(/never is/);
  expect(emptyKeyText('openai', 'http://box.localhost:1234/v1')).toMatch(/is sent if there is one/);
  expect(emptyKeyText('openai', 'https://')).toMatch(/never is/);
});

test('what is said before a removal names the place its key is really in', () => {
  const row: ProviderRow = {
    name: 'work',
    type: 'openai',
    template: 'other',
    isBuiltIn: false,
    model: 'm',
    address: 'https://x.example',
    state: { name: 'ready' },
    key: { of: 'provider', keptIn: 'memory' },
    isActive: false,
    successor: null,
    test: null,
  };
  expect(removalText(row).join()).toMatch(/key from memory/);
  expect(removalText({ ...row, key: { of: 'provider', keptIn: 'keychain' } }).join()).toMatch(/key from the keychain/);
});

test('a temperature that is not sent says so at its field', () => {
  expect(temperatureText('anthropic')).toMatch(/^Not sent: Claude/);
  expect(temperatureText('openai')).toBe(temperatureText('gemini'));
  expect(temperatureText('ollama')).toBeNull();
});
