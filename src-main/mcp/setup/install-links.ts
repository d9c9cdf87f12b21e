/** What an install link says, before it is read. */
export type LinkContent =
  /** JSON, or an object's text; `name` empty if it is inside. */
  | { readonly name: string; readonly config: string; readonly inputs: string }
  /** An entry in the link's own words. */
  | { readonly name: string; readonly entry: Readonly<Record<string, unknown>> }
  | 'bad'
  | 'unknown';

/**
 * Pages and schemes of *Add to …* buttons. Sources: https://code.visualstudio.com/api/extension-guides/ai/mcp,
 * https://cursor.com/docs/context/mcp/install-links, https://kiro.dev/docs/mcp/configuration,
 * https://lmstudio.ai/docs/app/mcp/deeplink, https://block.github.io/goose/docs/getting-started/using-extensions.
 */
const SCHEMES = /^(?:vscode|vscode-insiders|vscodium|cursor|lmstudio|goose|kiro|windsurf|trae):/i;
const PAGES =
  /^https?:\/\/(?:(?:www\.|docs\.)?cursor\.(?:com|sh)|(?:insiders\.)?vscode\.dev|code\.visualstudio\.com|(?:www\.)?kiro\.dev|(?:www\.)?lmstudio\.ai|block\.github\.io|goose-docs\.ai)\/(?:[\w-]{2,5}\/)?(?:install-mcp|mcp-install|link\/mcp|redirect|launch\/mcp|deeplink\/mcp|goose\/extension|extension)\b/i;
const IN_TEXT =
  /(?:https?:\/\/|(?:vscode|vscode-insiders|cursor|lmstudio|goose|kiro):)(?:(?!\]\()[^\s"'<>`]){8,100000}/gi;

export function isInstallLink(text: string): boolean {
  return SCHEMES.test(text) || (PAGES.test(text) && /[?]/.test(text));
}

/** The install links in a text, without what closes a Markdown or HTML link. Images beside them are no links. */
export function installLinksIn(text: string): readonly { readonly link: string; readonly at: number }[] {
  return [...text.matchAll(IN_TEXT)].flatMap(({ 0: found, index }) => {
    const link = found.replace(/(?<![)\]}>.,;])[)\]}>.,;]+$/, (end) => (found.includes('(') ? end : ''));
    return isInstallLink(link) && !/\.(?:svg|png)\b/i.test(link) && /[?]/.test(link) ? [{ link, at: index }] : [];
  });
}

export function linkContent(link: string): LinkContent {
  if (!URL.canParse(link)) return 'bad';
  try {
    return contentOf(new URL(link), 2);
  } catch (error) {
    if (error instanceof URIError) return 'bad';
    throw error;
  }
}

function contentOf(url: URL, depth: number): LinkContent {
  const place = `${url.host}${url.pathname}`.replace(/^\/+/, '');
  const params = url.searchParams;
  const inner = params.get('url');
  if (inner !== null && /redirect/.test(place)) {
    if (depth === 0 || !URL.canParse(inner)) return 'bad';
    // The address inside may have been encoded again.
    return contentOf(new URL(inner.includes('?') ? inner : decodeURIComponent(inner)), depth - 1);
  }
  if (/^goose:$/i.test(url.protocol) || /goose.*extension|\/extension$/i.test(place)) return gooseExtension(params);
  const config = params.get('config');
  const isInstall = /(?:^|\/)(?:mcp\/install|mcp-install|install-mcp|mcp%2Finstall|mcp\/add|add_mcp|mcp)\/?$/i.test(
    place,
  );
  if (!isInstall) return 'unknown';
  const command = params.get('command');
  if (config === null && command !== null) {
    const args = (params.get('args') ?? '').split(/[\s,]+/).filter((each) => each !== '');
    return { name: params.get('name') ?? '', entry: { command, args } };
  }
  if (config === null) {
    const whole = url.search.slice(1);
    return /^(?:%7B|\{)/i.test(whole) ? { name: '', config: decodeURIComponent(whole), inputs: '' } : 'bad';
  }
  return { name: params.get('name') ?? '', config: decoded(config), inputs: params.get('inputs') ?? '' };
}

/** Reads JSON, JSON encoded twice, or Base64 of it. */
function decoded(config: string): string {
  const text = config.trim();
  if (/^[{[]/.test(text)) return text;
  if (/^%7B|^%5B/i.test(text)) return decodeURIComponent(text);
  const bytes = Buffer.from(
    (text.includes('%') ? decodeURIComponent(text) : text).replaceAll(' ', '+'),
    'base64',
  ).toString('utf8');
  return /^\s*%7B/i.test(bytes) ? decodeURIComponent(bytes) : bytes;
}

function gooseExtension(params: URLSearchParams): LinkContent {
  const [cmd, url] = [params.get('cmd'), params.get('url')];
  if (cmd === null && url === null) return 'bad';
  const described = params.getAll('env').flatMap((each) => (each === '' ? [] : [each.split('=')[0] ?? '']));
  const headers = params.getAll('header').flatMap((each) => (each === '' ? [] : [each.split('=')]));
  return {
    name: params.get('id') ?? params.get('name') ?? '',
    entry: {
      ...(cmd === null
        ? { url, type: params.get('type') ?? params.get('transport') ?? 'http' }
        : { command: cmd, args: params.getAll('arg') }),
      timeout: Number(params.get('timeout') ?? Number.NaN),
      env_keys: described,
      headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name, value])),
    },
  };
}
