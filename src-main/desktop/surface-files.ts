/** The two pages. Each has its own origin: `steward://app`, `steward://consent`. */
export type SurfaceName = 'app' | 'consent';

export const SCHEME = 'steward';

export function surfaceUrl(surface: SurfaceName): string {
  return `${SCHEME}://${surface}/${surface}.html`;
}

/**
 * Script only from our own files; no connection, frame, form or plugin at all. Images may be data and blob URLs, which
 * is how attached and local ones are shown, and sounds in results data URLs. Style attributes are allowed because
 * floating elements are placed with them; style elements and external style sheets are not. The sandbox removes
 * everything a page could open above the window: printing, other dialogs, windows.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src data:',
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts allow-same-origin allow-forms',
].join('; ');

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}

const ASSET_NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

/**
 * Which file of the renderer's folder a URL means, as path segments: the surface's own page, or a file in its own
 * assets folder. Anything else (another host, another folder, `..`, an encoded separator, a query) gives none.
 */
export function assetFile(surface: SurfaceName, url: string): readonly string[] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname, search, username, password } = new URL(url);
  if (protocol !== `${SCHEME}:` || host !== surface || username !== '' || password !== '' || search !== '')
    return undefined;
  if (pathname === '/' || pathname === `/${surface}.html`) return [`${surface}.html`];
  const [empty, folder, name, ...rest] = pathname.split('/');
  if (empty !== '' || folder !== `${surface}-assets` || name === undefined || rest.length > 0) return undefined;
  return ASSET_NAME.test(name) ? [folder, name] : undefined;
}
