import { hostKey } from '../network/address-keys.ts';
import type { NetworkAccess } from '../network/network-access.ts';

/**
 * Documentation that may be read without a question even if the model wrote the address and has read private text. The
 * choice of page could leak something, so a host is listed only if no one except its operator can observe it:
 * - its logs are not public, nor are page counts derived from them. Excluded for this reason: Wikipedia (views of each
 *   title are published), npm, PyPI and crates.io (downloads), cppreference (pages say how often they were read).
 * - no one else can publish pages there and see who reads them, or control a part of the host. Excluded: Read the Docs,
 *   GitHub and its raw files, Stack Overflow, wikis.
 * - it fetches nothing from elsewhere based on the path. Excluded: pkg.go.dev, which looks up modules at their own
 *   hosts. A redirect to another host is decided like any other address from the model.
 *
 * The remaining risk is a cache in front of a host: anyone who guesses an address may find out whether it was requested
 * recently. That is one bit per guess, on a site where many others read the same pages.
 *
 * To add one: a line with the host and, where only a part of it is documentation, where that lies.
 */
const DOCUMENTATION: readonly (readonly [host: string, below?: RegExp])[] = [
  ['docs.python.org'],
  ['docs.djangoproject.com'],
  ['developer.mozilla.org', /^\/[a-z]{2}(?:-[a-z]{2})?\/docs\//i],
  // npm counts downloads in public, by version.
  ['nodejs.org', /^\/(?:api|docs|[a-z]{2}\/(?:learn|about))\//],
  // Packages and their pages come from npm.
  ['docs.npmjs.com'],
  ['www.typescriptlang.org', /^\/(?:docs|tsconfig)\b/],
  ['react.dev', /^\/(?:reference|learn|blog)\b/],
  ['vuejs.org', /^\/(?:api|guide)\//],
  ['angular.dev', /^\/(?:api|guide|reference)\b/],
  // Outside these paths, the playground keeps what people write.
  ['svelte.dev', /^\/(?:docs|tutorial)\b/],
  ['vite.dev', /^\/(?:guide|config)\b/],
  ['nextjs.org', /^\/docs\b/],
  ['tailwindcss.com', /^\/docs\b/],
  ['www.electronjs.org', /^\/docs\b/],
  // Outside these paths, the playground keeps what people write, and downloads lead elsewhere.
  ['go.dev', /^\/(?:doc|ref|blog|tour)\b/],
  ['doc.rust-lang.org'],
  // Anyone can publish a crate that is documented here, but its publisher can't see who reads the pages.
  ['docs.rs'],
  ['docs.swift.org'],
  ['kotlinlang.org', /^\/(?:docs|api)\//],
  ['docs.ruby-lang.org'],
  ['www.php.net', /^\/manual\//],
  // Outside this path, the site also hosts content of its users, which anyone could fill.
  [
    'learn.microsoft.com',
    /^\/[a-z]{2}-[a-z]{2}\/(?:aspnet|azure|cpp|dotnet|powershell|sql|typescript|visualstudio|windows|windows-server)\//i,
  ],
  ['docs.docker.com'],
  ['kubernetes.io', /^\/docs\//],
  ['docs.github.com'],
  ['docs.gitlab.com'],
  ['git-scm.com', /^\/(?:docs|book)\b/],
  ['docs.aws.amazon.com'],
  ['www.postgresql.org', /^\/docs\//],
  // Outside this path, the site also hosts a forum and source history.
  ['www.sqlite.org', /^\/(?:c3ref\/)?\w+\.html$/],
  ['html.spec.whatwg.org'],
  ['fetch.spec.whatwg.org'],
  ['url.spec.whatwg.org'],
  ['dom.spec.whatwg.org'],
  ['www.w3.org', /^\/(?:TR|WAI)\//],
  ['www.rfc-editor.org', /^\/rfc\//],
];

const BELOW = new Map(DOCUMENTATION.map(([host, below]) => [hostKey(host), below]));
const MAX_PATH_LENGTH = 200;

/**
 * Whether this reads a page that is named by its path alone. Documentation needs no query, header or custom port, each
 * of which could carry text out: `https://docs.rs/?q=SECRET`.
 */
export function isDocumentation({ url, method, carries }: NetworkAccess): boolean {
  if (method !== 'GET' || carries !== undefined || !URL.canParse(url)) return false;
  const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
  if (protocol !== 'https:' || port !== '' || search !== '' || username !== '' || password !== '') return false;
  const host = hostKey(hostname);
  if (!BELOW.has(host) || pathname.length > MAX_PATH_LENGTH) return false;
  return BELOW.get(host)?.test(pathname) ?? true;
}
