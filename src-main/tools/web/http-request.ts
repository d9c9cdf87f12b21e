import { z } from 'zod';
import { ownRecord } from '../../../src-preload/contract/own-record.ts';
import type { HttpRequest } from '../../network/http.ts';
import { isSuccess } from '../../network/http.ts';
import { TEXT_LENGTH } from '../argument-limits.ts';
import type { ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { JSON_TEXT } from '../registry/coercion.ts';
import { markAnswer, type PlannedRequest, planRequest, type RequestNature, sendRequest } from './http-calls.ts';
import { decodeBody } from './page/charset.ts';
import { kindOf, mediaTypeOf } from './page/content-type.ts';

const url = z.string().describe('Absolute http or https URL');
const headers = ownRecord(z.string()).prefault({}).describe('Request headers');
const body = z
  .string()
  .meta({ contentMediaType: JSON_TEXT })
  .default('')
  .describe('Request body; an object is sent as JSON. Content-Type is application/json unless headers say otherwise');

const LIMITS = ['Redirects are not followed.', '30 seconds, 2,000,000 bytes.'];

/** Source: tool catalogue B.3, as for the two below. */
export const httpRequest = defineTool({
  name: 'http_request',
  access: 'network',
  errorPrefix: 'Error: ',
  description:
    'Make an HTTP request (GET, POST, PUT, DELETE) and return status and body as received. To read a web page use web_fetch.',
  longest: { headers: 100_000, body: TEXT_LENGTH },
  input: z.object({
    url,
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('GET').describe('HTTP method'),
    headers,
    body,
  }),
  emptyAllowed: ['body'],
  undo: 'impossible',
  strictParameters: ['headers', 'body'],
  refusesUnknown: true,
  words: { title: 'HTTP request', done: 'Requested', icon: 'globe', about: ['method', 'url'] },
  manual: {
    example: { url: 'https://api.example.org/items/7', method: 'PUT', body: '{"name":"seven"}' },
    limits: LIMITS,
  },
  assess: (input, context) => planRequest(rawRequest(input), context, carriedBy(input)),
  execute: answerTo,
});

export const httpGet = defineTool({
  name: 'http_get',
  access: 'network',
  errorPrefix: 'Error: ',
  description: 'Make an HTTP GET request and return status and body as received. To read a web page use web_fetch.',
  longest: { headers: 100_000 },
  input: z.object({ url, headers }),
  strictParameters: ['headers'],
  words: { title: 'HTTP GET', done: 'Got', icon: 'globe', about: ['url'] },
  manual: { example: { url: 'https://api.example.org/items' }, limits: LIMITS },
  assess: ({ url, headers }, context) => {
    const input = { url, headers, method: 'GET', body: '' };
    return planRequest(rawRequest(input), context, carriedBy(input));
  },
  execute: answerTo,
});

export const httpPost = defineTool({
  name: 'http_post',
  access: 'network',
  errorPrefix: 'Error: ',
  description: 'Make an HTTP POST request and return status and body as received.',
  longest: { headers: 100_000, body: TEXT_LENGTH },
  input: z.object({ url, headers, body }),
  aliases: { data: 'body' },
  emptyAllowed: ['body'],
  undo: 'impossible',
  strictParameters: ['headers', 'body'],
  refusesUnknown: true,
  words: { title: 'HTTP POST', done: 'Posted to', icon: 'globe', about: ['url'] },
  manual: { example: { url: 'https://api.example.org/items', body: '{"name":"seven"}' }, limits: LIMITS },
  assess: (input, context) => planRequest(rawRequest({ ...input, method: 'POST' }), context, carriedBy(input)),
  execute: answerTo,
});

interface RawRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function rawRequest(given: RawRequest): HttpRequest {
  const saysType = Object.keys(given.headers).some((name) => name.trim().toLowerCase() === 'content-type');
  const ownHeaders: Record<string, string> =
    given.body === '' || saysType ? {} : { 'Content-Type': 'application/json' };
  return { ...given, headers: { ...ownHeaders, ...given.headers }, maxRedirects: 0 };
}

function carriedBy({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): RequestNature {
  if (body !== '') return { carries: 'body' };
  return Object.keys(headers).length === 0 ? {} : { carries: 'headers' };
}

async function answerTo(planned: PlannedRequest, context: ToolContext): Promise<string> {
  const response = await sendRequest(planned, context);
  const { status, body: received } = response;
  const contentType = response.headers['content-type'];
  const mediaType = mediaTypeOf(contentType);
  markAnswer(response, context);
  const location = status >= 300 && status < 400 ? response.headers.location : undefined;
  const isMarkup = kindOf(mediaType) === 'html' || mediaType.endsWith('xml');
  const { text, encoding } = await decodeBody(received, contentType, isMarkup);
  context.card({
    kind: 'page',
    url: response.url,
    status,
    contentType: mediaType,
    size: received.length,
    ...(encoding.name === 'utf-8' ? {} : { encoding: encoding.name }),
  });
  return [
    `${status} ${isSuccess(status) ? 'OK' : 'Failed'} (${received.length} bytes)`,
    ...(location === undefined ? [] : [`Location: ${location}`]),
    ...(text === '' ? [] : ['', text]),
  ].join('\n');
}
