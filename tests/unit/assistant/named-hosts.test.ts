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
