import type { ProviderOptions } from '../provider-options.ts';
import type { Endpoint } from '../transport/service.ts';
import type { Dialect } from './service.ts';

const GITHUB_MODELS = 'models.github.ai';
const AZURE_HOST = /(^|\.)azure\.com$/;

/** A request to OpenAI or Azure can only be made with a key, so the same facts decide. */
export function dialectOf({ apiVersion, baseUrl, needsKey }: ProviderOptions): Dialect {
  if (apiVersion !== undefined) return 'azure';
  if (URL.canParse(baseUrl) && AZURE_HOST.test(new URL(baseUrl).hostname)) return 'azure';
  return needsKey ? 'openai' : 'compatible';
}

/**
 * If an API version is given, the address is that of an Azure resource: Chat Completions are reached by deployment,
 * Responses by the deployment's name in the body. Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export function addressOf(
  api: 'chat' | 'responses',
  { url }: Endpoint,
  apiVersion: string | undefined,
  model: string,
): string {
  const path = api === 'responses' ? '/responses' : '/chat/completions';
  if (apiVersion === undefined) return url + path;
  const deployment = api === 'responses' ? '' : `/deployments/${encodeURIComponent(model)}`;
  return `${azureResource(url)}${deployment}${path}?${new URLSearchParams({ 'api-version': apiVersion })}`;
}

/**
 * GitHub Models keeps its list beside the API that speaks OpenAI's format. Source:
 * https://docs.github.com/en/rest/models/catalog
 */
export function modelsAddress({ url, host }: Endpoint): string {
  return host === GITHUB_MODELS ? `https://${GITHUB_MODELS}/catalog/models` : `${url}/models`;
}

/** Users give the resource with or without the path that all requests share. */
function azureResource(url: string): string {
  return /\/openai$/.test(url) ? url : `${url}/openai`;
}

/** Azure takes keys in a header of its own. */
export function authentication(dialect: Dialect, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return dialect === 'azure' ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}
