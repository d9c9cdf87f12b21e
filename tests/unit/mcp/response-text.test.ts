import { expect, test } from 'vitest';
import { responseText } from '../../../src-main/mcp/transport/response-text.ts';

test.each([
  ['nothing', '', 500, ''],
  ['a text', 'upstream connect error\n  or disconnect', 503, 'upstream connect error or disconnect'],
  [
    'a page whose title is the status',
    '<html><head><title>502 Bad Gateway</title></head><body><hr>nginx</body></html>',
    502,
    '',
  ],
  [
    'a page with a title',
    '<!DOCTYPE html><html><head><style>p{}</style><title>tracker.example | 521: Web server is down</title><script>let a = "<p>b</p>";</script></head></html>',
    521,
    'tracker.example | 521: Web server is down',
  ],
  [
    'a page without a title',
    '<html><script>alert(1)</script><body><h1>No such server &amp; no tools</h1></body></html>',
    404,
    'No such server & no tools',
  ],
  ['a page that was cut off', '<html><head><title>Service unavail', 503, 'Service unavail'],
  ['XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 403, 'AccessDenied'],
  [
    'JSON-RPC',
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: no session"},"id":null}',
    400,
    'Bad Request: no session',
  ],
  ['OAuth', '{"error":"invalid_token","error_description":"The token has expired"}', 403, 'The token has expired'],
  ['a list of errors', '{"errors":[{"detail":"Too many requests"}]}', 429, ''],
  ['JSON that was cut off', '{"error":"overloa', 529, '{"error":"overloa'],
  ['JSON without a sentence', '{"status":500}', 500, '{"status":500}'],
])('of %s', async (_what, body, status, text) => {
  expect(await responseText(body, status)).toBe(text);
});

test('a body of any length is summarised in one line', async () => {
  for (const body of [
    'x'.repeat(16_000),
    `<title>${'y '.repeat(8_000)}</title>`,
    `{"message":${JSON.stringify('z\n'.repeat(9_000))}}`,
    '<'.repeat(16_000),
    '['.repeat(16_000),
    '{"message":'.repeat(1_400),
    `${'['.repeat(8_000)}"x"${']'.repeat(8_000)}`,
    `${'{"message":'.repeat(1_400)}"x"${'}'.repeat(1_400)}`,
    `<b>${'<a>'.repeat(5_000)}`,
    `<title>${'<b>'.repeat(5_000)}x`,
  ]) {
    const text = await responseText(body, 500);
    expect(text.length).toBeLessThan(310);
    expect(text).not.toContain('\n');
  }
});
