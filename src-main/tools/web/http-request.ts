import { z } from 'zod';
import { isSuccess } from '../../network/http-status.ts';
import { JSON_TEXT } from '../coercion.ts';
import { defineTool, type ToolContext } from '../contract.ts';
import { httpAccess, httpResponse, markAnswer } from './http-calls.ts';
import { decodeBody } from './page/charset.ts';
import { kindOf, mediaTypeOf } from './page/content-type.ts';

const url = z.string().describe('Absolute http or https URL');
const headers = z.record(z.string(), z.string()).default({}).describe('Request headers');
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
  input: z.object({
    url,
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('GET').describe('HTTP method'),
    headers,
    body,
  }),
  emptyAllowed: ['body'],
  undo: 'impossible',
  manual: {
    example: { url: 'https://api.example.org/items/7', method: 'PUT', body: '{"name":"seven"}' },
    limits: LIMITS,
  },
  effects: ({ url: asked, method }, context) => httpAccess(asked, method, context),
  execute: (input, context) => answerTo(input, context),
});

export const httpGet = defineTool({
  name: 'http_get',
  access: 'network',
  errorPrefix: 'Error: ',
  description: 'Make an HTTP GET request and return status and body as received. To read a web page use web_fetch.',
  input: z.object({ url, headers }),
  manual: { example: { url: 'https://api.example.org/items' }, limits: LIMITS },
  effects: ({ url: asked }, context) => httpAccess(asked, 'GET', context),
  execute: (input, context) => answerTo({ ...input, method: 'GET', body: '' }, context),
});

export const httpPost = defineTool({
  name: 'http_post',
  access: 'network',
  errorPrefix: 'Error: ',
  description: 'Make an HTTP POST request and return status and body as received.',
  input: z.object({ url, headers, body }),
  aliases: { data: 'body' },
  emptyAllowed: ['body'],
  undo: 'impossible',
  manual: { example: { url: 'https://api.example.org/items', body: '{"name":"seven"}' }, limits: LIMITS },
  effects: ({ url: asked }, context) => httpAccess(asked, 'POST', context),
  execute: (input, context) => answerTo({ ...input, method: 'POST' }, context),
});

interface RawRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function answerTo(request: RawRequest, context: ToolContext): Promise<string> {
  const saysType = Object.keys(request.headers).some((name) => name.trim().toLowerCase() === 'content-type');
  const response = await httpResponse(
    {
      ...request,
      headers: {
        ...(request.body === '' || saysType ? {} : { 'Content-Type': 'application/json' }),
        ...request.headers,
      },
      maxRedirects: 0,
    },
    context,
  );
  const { status, body: received } = response;
  const contentType = response.headers['content-type'];
  const mediaType = mediaTypeOf(contentType);
  markAnswer(response, context);
  context.card({ kind: 'page', url: response.url, status, contentType: mediaType, size: received.length });
  const location = status >= 300 && status < 400 ? response.headers.location : undefined;
  const text = await decodeBody(received, contentType, kindOf(mediaType) === 'html' || mediaType.endsWith('xml'));
  return [
    `${status} ${isSuccess(status) ? 'OK' : 'Failed'} (${received.length} bytes)`,
    ...(location === undefined ? [] : [`Location: ${location}`]),
    ...(text === '' ? [] : ['', text]),
  ].join('\n');
}
