import { hostKey } from '../network/hosts.ts';
import type { NetworkAccess } from '../network/network-access.ts';

/**
 * Documentation that is read without a question though the model wrote the address and has read private text. Which page is
 * asked for could carry something, so a host is here only if nobody but who runs it learns of that:
 * - its logs are not public, nor is anything counted from them per page. Not here for that: Wikipedia (views of each title are
 *   published), npm, PyPI and crates.io (downloads), cppreference (pages say how often they were read).
 * - nobody else may put up pages there and see who reads them, nor has a part of the host. Not here: Read the Docs, GitHub
 *   and its raw files, Stack Overflow, wikis.
 * - it fetches nothing from elsewhere by what stands in a path. Not here: pkg.go.dev, which looks up modules at their own hosts.
 * Where one leads on to another host, that is decided as any other address of the model's.
 *
 * What is left is a cache in front of a host: whoever can guess an address may find out whether somebody asked for it lately. That
 * is one bit for each guess, and of a place where many others read the same pages.
 *
 * To add one: a line with the host and, where only a part of it is documentation, where that lies.
 */
const DOCUMENTATION: readonly (readonly [host: string, below?: RegExp])[] = [
  ['docs.python.org'],
  ['docs.djangoproject.com'],
  ['developer.mozilla.org', /^\/[a-z]{2}(?:-[a-z]{2})?\/docs\//i],
  // Downloads are counted in public, by version.
  ['nodejs.org', /^\/(?:api|docs|[a-z]{2}\/(?:learn|about))\//],
  // Packages and their pages are npm's.
  ['docs.npmjs.com'],
  ['www.typescriptlang.org', /^\/(?:docs|tsconfig)\b/],
  ['react.dev', /^\/(?:reference|learn|blog)\b/],
  ['vuejs.org', /^\/(?:api|guide)\//],
  ['angular.dev', /^\/(?:api|guide|reference)\b/],
  // The playground keeps what people write.
  ['svelte.dev', /^\/(?:docs|tutorial)\b/],
  ['vite.dev', /^\/(?:guide|config)\b/],
  ['nextjs.org', /^\/docs\b/],
  ['tailwindcss.com', /^\/docs\b/],
  ['www.electronjs.org', /^\/docs\b/],
  // The playground keeps what people write; downloads lead elsewhere.
  ['go.dev', /^\/(?:doc|ref|blog|tour)\b/],
  ['doc.rust-lang.org'],
  // Documentation of crates that anybody publishes, who learn nothing of who reads it.
  ['docs.rs'],
  ['docs.swift.org'],
  ['kotlinlang.org', /^\/(?:docs|api)\//],
  ['docs.ruby-lang.org'],
  ['www.php.net', /^\/manual\//],
  // Questions and answers of people, and what they collect, lie beside it.
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
  // Its forum and the history of its sources lie beside it.
  ['www.sqlite.org', /^\/(?:c3ref\/)?\w+\.html$/],
  ['html.spec.whatwg.org'],
  ['fetch.spec.whatwg.org'],
  ['url.spec.whatwg.org'],
  ['dom.spec.whatwg.org'],
  ['www.w3.org', /^\/(?:TR|WAI)\//],
  ['www.rfc-editor.org', /^\/rfc\//],
];

const BELOW = new Map(DOCUMENTATION.map(([host, below]) => [hostKey(host), below]));
const LONGEST_PATH = 200;

/** A page by its path alone: a query, a header or another port is no way in which documentation is read. */
export function isDocumentation({ url, method, carries }: NetworkAccess): boolean {
  if (method !== 'GET' || carries !== undefined || !URL.canParse(url)) return false;
  const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
  if (protocol !== 'https:' || port !== '' || search !== '' || username !== '' || password !== '') return false;
  const host = hostKey(hostname);
  if (!BELOW.has(host) || pathname.length > LONGEST_PATH) return false;
  return BELOW.get(host)?.test(pathname) ?? true;
}
