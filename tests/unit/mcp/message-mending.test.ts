import { expect, test } from 'vitest';
import { MessageMending } from '../../../src-main/mcp/messages/message-mending.ts';

function mended(block: object): unknown {
  const mending = new MessageMending({ issuesOfTool: () => [], skipped: () => undefined });
  mending.sent({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } });
  const { result } = mending.received({ jsonrpc: '2.0', id: 1, result: { content: [block] } });
  return Object(result).content[0];
}

test('Base64 in lines, for URLs or without padding holds the same bytes', () => {
  const bytes = Buffer.from([251, 239, 190, 255, 0, 1, 2]);
  const data = bytes.toString('base64');
  const image = { type: 'image', mimeType: 'image/png' };
  for (const written of [data, data.replaceAll(/.{4}/g, '$&\r\n'), bytes.toString('base64url'), `\n${data}`]) {
    expect(mended({ ...image, data: written }), written).toEqual({ ...image, data });
    const resource = { uri: 'file:///a', mimeType: 'image/png' };
    expect(mended({ type: 'resource', resource: { ...resource, blob: written } })).toEqual({
      type: 'resource',
      resource: { ...resource, blob: data },
    });
  }
  for (const written of ['?', 'A', 'AA=A', 'not Base64!'])
    expect(mended({ ...image, data: written })).toHaveProperty('_meta');
});
