import { expect, test } from 'vitest';
import { HttpFailure, type HttpResponse } from '../../../../src-main/network/http.ts';
import { createHttpClient } from '../../../../src-main/network/http-client.ts';
import { OutgoingGmail } from '../../../../src-main/tools/google/gmail-outgoing.ts';

const MAIL = { id: 'an-id', to: [{ name: '', address: 'ada@example.org' }], subject: 'S', body: 'B' };
const signal = new AbortController().signal;

/** How a mail is taken whose request ended like this. */
function sendingEndsWith(request: () => Promise<HttpResponse>) {
  const { access } = createHttpClient();
  const gmail = new OutgoingGmail({
    http: { access, request },
    google: { token: async () => 'ya29.fixture' },
    vendors: { baseUrlOf: () => 'https://gmail.googleapis.com' },
  });
  return gmail.send(MAIL, { signal });
}

const systemError = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });
const several = (...errors: Error[]) => Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });

test.each([
  ['not_sent', systemError('ECONNREFUSED', 'connect')],
  ['not_sent', systemError('ENOTFOUND', 'getaddrinfo')],
  ['not_sent', systemError('EAI_AGAIN', 'getaddrinfo')],
  ['not_sent', systemError('UND_ERR_CONNECT_TIMEOUT')],
  ['not_sent', systemError('EHOSTUNREACH', 'connect')],
  ['not_sent', systemError('ENETUNREACH', 'connect')],
  ['not_sent', several(systemError('ENETUNREACH', 'connect'), systemError('ECONNREFUSED', 'connect'))],
  // An established connection also ends like this, and the request may have left.
  ['unanswered', systemError('EHOSTUNREACH', 'read')],
  ['unanswered', systemError('ENETUNREACH', 'write')],
  ['unanswered', systemError('ENETDOWN', 'read')],
  ['unanswered', systemError('ECONNRESET', 'read')],
  ['unanswered', several(systemError('ENETUNREACH', 'connect'), systemError('EHOSTUNREACH', 'read'))],
])('%s after %s', async (kind, cause) => {
  const failure = new HttpFailure('connection', 'lost', { cause: new TypeError('fetch failed', { cause }) });
  expect(await sendingEndsWith(() => Promise.reject(failure))).toMatchObject({ kind });
});

test.each([
  ['120', /in 2 minutes/],
  [new Date(Date.now() + 600_000).toUTCString(), /in 10 minutes/],
  ['', /later/],
  ['soon', /later/],
])('Retry-After: %s', async (header, when) => {
  const outcome = await sendingEndsWith(async () => ({
    url: '',
    isRedirected: false,
    isPrivate: false,
    status: 429,
    headers: { 'retry-after': header },
    body: Buffer.from('{}'),
  }));
  expect(outcome).toMatchObject({ kind: 'not_sent', message: expect.stringMatching(when) });
});
