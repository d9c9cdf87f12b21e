import { afterEach } from 'vitest';
import {
  AnthropicProvider,
  type AnthropicProviderOptions,
} from '../../../src-main/models/anthropic/anthropic-provider.ts';
import type { ModelRequest } from '../../../src-main/models/provider.ts';
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { asking, requestWith, withoutWaiting } from './asking.ts';

/** The provider on the real SDK, in front of a scripted server that ends with the test. */

export const KEY = 'sk-ant-test-0123456789abcdef';
const started: MessagesApi[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export async function setUp(script: MessagesApiOptions, options: Partial<AnthropicProviderOptions> = {}, prefix = '') {
  const server = await startMessagesApi(script);
  started.push(server);
  const waits: number[] = [];
  const provider = new AnthropicProvider({
    apiKey: async () => KEY,
    baseUrl: server.url + prefix,
    ...withoutWaiting(waits),
    ...options,
  });
  const defaults = { model: 'claude-sonnet-5-5' };
  const request = (given: Partial<ModelRequest> = {}) => requestWith({ ...defaults, ...given });
  const ask = asking(provider, defaults);
  return { server, provider, request, ask, waits };
}
