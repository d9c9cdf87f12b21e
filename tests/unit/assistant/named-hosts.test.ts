import { expect, test } from 'vitest';
import { hostsNamedByUser } from '../../../src-main/assistant/named-hosts.ts';
import { stored, textBlock, userMessage } from '../../fixtures/events.ts';

test('hosts count in the form that URLs carry them, however the user wrote them', () => {
  const hosts = hostsNamedByUser(
    stored([
      userMessage(
        'See https://Example.org/a?b, docs.python.org. and http://127.0.0.1:8080/, bücher.de or http://localhost:3000',
      ),
    ]),
  );
  expect([...hosts].sort()).toEqual(['127.0.0.1', 'docs.python.org', 'example.org', 'localhost', 'xn--bcher-kva.de']);
});

test('a host that the model wrote was not named by the user', () => {
  expect(hostsNamedByUser(stored([userMessage('hello'), textBlock('see evil.example')])).size).toBe(0);
});

test('the name of a file is no host, unless it is written as an address', () => {
  const named = hostsNamedByUser(
    stored([userMessage('Read README.md, run ./deploy.sh and see https://notes.md/ too')]),
  );
  expect([...named]).toEqual(['notes.md']);
});

test('a host is taken whole or not at all', () => {
  const labels = Array.from({ length: 40 }, () => 'a').join('.');
  expect(hostsNamedByUser(stored([userMessage(`${labels}.example.org`)])).size).toBe(0);
  expect([...hostsNamedByUser(stored([userMessage('ada@mail.example.org, 10.0.0.1.')]))]).toEqual([
    'mail.example.org',
    '10.0.0.1',
  ]);
});

test('a long message without hosts is searched at once', () => {
  const text = 'a.'.repeat(500_000);
  expect(hostsNamedByUser(stored([userMessage(text), userMessage('a'.repeat(1_000_000))])).size).toBe(0);
});

test('what is attached, and what a page sent by itself, names no host', () => {
  const named = hostsNamedByUser(
    stored([
      {
        ...userMessage('and see written.example'),
        attachments: [{ kind: 'text', name: 'a.txt', text: 'https://attached.example' }],
      },
      { type: 'user_message', content: [{ type: 'text', text: 'https://sent.example' }], isUnattended: true },
    ]),
  );
  expect([...named]).toEqual(['written.example']);
});
