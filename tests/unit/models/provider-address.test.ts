import { describe, expect, test } from 'vitest';
import {
  needsKey,
  type ProviderPlace,
  providerAddress,
  vendorKeyServes,
} from '../../../src-main/models/provider-address.ts';

describe('whose key goes where', () => {
  test.each<[string, ProviderPlace, { vendors: boolean; needed: boolean }]>([
    ['the vendor', { type: 'openai' }, { vendors: true, needed: true }],
    [
      'the vendor, written out',
      { type: 'openai', baseUrl: 'https://api.openai.com/v1' },
      { vendors: true, needed: true },
    ],
    [
      'the vendor without TLS',
      { type: 'openai', baseUrl: 'http://api.openai.com/v1' },
      { vendors: false, needed: false },
    ],
    [
      'another company',
      { type: 'openai', baseUrl: 'https://api.groq.com/openai/v1' },
      { vendors: false, needed: false },
    ],
    [
      'a host that begins like the vendor',
      { type: 'openai', baseUrl: 'https://api.openai.com.evil.example/v1' },
      { vendors: false, needed: false },
    ],
    ['this machine', { type: 'openai', baseUrl: 'http://127.0.0.1:1234/v1' }, { vendors: true, needed: false }],
    [
      'another machine at home',
      { type: 'openai', baseUrl: 'http://192.168.1.7:1234/v1' },
      { vendors: false, needed: false },
    ],
    [
      'Azure',
      { type: 'openai', baseUrl: 'https://ada.openai.azure.com', apiVersion: '2025-04-01-preview' },
      { vendors: false, needed: true },
    ],
    [
      'Azure without a version',
      { type: 'openai', baseUrl: 'https://ada.openai.azure.com/openai/v1' },
      { vendors: false, needed: true },
    ],
    ['Gemini', { type: 'gemini' }, { vendors: true, needed: true }],
    ['Ollama', { type: 'ollama' }, { vendors: false, needed: false }],
    ['Ollama elsewhere', { type: 'ollama', baseUrl: 'https://ollama.example' }, { vendors: false, needed: false }],
  ])('%s', (_, place, { vendors, needed }) => {
    expect({ vendors: vendorKeyServes(place), needed: needsKey(place) }).toEqual({ vendors, needed });
  });
});

describe('where requests go', () => {
  test.each<[ProviderPlace, string | undefined, string]>([
    [{ type: 'openai' }, undefined, 'https://api.openai.com/v1'],
    [{ type: 'openai' }, 'https://gateway.example/x', 'https://gateway.example/x/v1'],
    [{ type: 'openai', baseUrl: 'http://127.0.0.1:1234/v1' }, 'https://gateway.example', 'http://127.0.0.1:1234/v1'],
    [{ type: 'gemini' }, undefined, 'https://generativelanguage.googleapis.com'],
    [{ type: 'ollama' }, undefined, 'http://127.0.0.1:11434'],
  ])('%j %s', (place, endpoint, address) => {
    expect(providerAddress(place, endpoint)).toBe(address);
  });
});
