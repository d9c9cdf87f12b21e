import { expect, test } from 'vitest';
import { loadEngine, piecesOf } from '../../../src-renderer/chat/markdown/highlight.svelte.ts';

const engine = await loadEngine();

test('code is cut into pieces with the first part of highlight.js’s scopes', () => {
  expect(piecesOf(engine, 'function f() { return "x"; }', 'js')).toEqual([
    { scope: 'keyword', text: 'function' },
    { scope: null, text: ' ' },
    { scope: 'title', text: 'f' },
    { scope: null, text: '(' },
    { scope: null, text: ') { ' },
    { scope: 'keyword', text: 'return' },
    { scope: null, text: ' ' },
    { scope: 'string', text: '"x"' },
    { scope: null, text: '; }' },
  ]);
});

test('a language within another one has no scope of its own, and markup stays text', () => {
  const code = '<b title="x">a</b><script>let a = 1;</script>&lt;\n';
  const pieces = piecesOf(engine, code, 'html');
  expect(pieces.map(({ text }) => text).join('')).toBe(code);
  expect(pieces).toContainEqual({ scope: 'keyword', text: 'let' });
  const scopes = new Set(pieces.map(({ scope }) => scope));
  expect(scopes.has('javascript') || scopes.has('xml')).toBe(false);
});
