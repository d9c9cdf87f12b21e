import { parse } from 'yaml';
import { z } from 'zod';
import type { NetworkAccess } from '../../network/network-access.ts';

/**
 * Where releases are. The feed is built into the package and never a setting: whoever could change it could replace the
 * program. Source: docs/decisions/043-updates.md
 */
export interface ReleaseFeed {
  /** The host's name, with the port if it is an unusual one. */
  readonly host: string;
  /** All hosts that a file may come from. */
  readonly fileHosts: readonly string[];
  /** Whether the feed is on this machine, as it is in tests. */
  readonly isLoopback: boolean;
  /** Returns the address that says what the newest release is for a system: `linux` on `arm64`. */
  latestUrl(platform: NodeJS.Platform, arch: string): string;
  /** Returns the address of a file of this release by its name. */
  fileUrl(version: string, name: string): string;
  /** The web pages of releases, or `null` if there are none. */
  readonly pages: { notes(version: string): string; readonly downloads: string } | null;
  /**
   * Whether a request to the feed may go here too: the request itself, a redirect, or the address that its host
   * resolved to.
   */
  allows(access: NetworkAccess): boolean;
}

const name = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/);

/** `app-update.yml`, as electron-builder writes it. Its other keys are for electron-updater, which Steward doesn’t use. */
const feedFile = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('github'), owner: name, repo: name }),
  z.object({ provider: z.literal('generic'), url: z.url({ protocol: /^https?$/ }) }),
]);

/**
 * The hosts on which GitHub keeps the files of releases. Source:
 * https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/githubs-ip-addresses
 */
const GITHUB_HOSTS = ['github.com', 'objects.githubusercontent.com', 'release-assets.githubusercontent.com'];
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/** Throws if the file is not one that this version's package was built with. */
export function parseFeed(text: string): ReleaseFeed {
  const feed = feedFile.parse(parse(text, { maxAliasCount: 0 }));
  return feed.provider === 'github' ? githubFeed(`https://github.com/${feed.owner}/${feed.repo}`) : plainFeed(feed.url);
}

function githubFeed(repository: string): ReleaseFeed {
  return {
    host: 'github.com',
    fileHosts: GITHUB_HOSTS,
    isLoopback: false,
    latestUrl: (platform, arch) => `${repository}/releases/latest/download/${latestFile(platform, arch)}`,
    fileUrl: (version, file) => `${repository}/releases/download/v${version}/${file}`,
    pages: {
      notes: (version) => `${repository}/releases/tag/v${version}`,
      downloads: `${repository}/releases/latest`,
    },
    allows: ({ class: accessClass, url }) => {
      const { protocol, host, username, password } = new URL(url);
      const isPlain = accessClass === 'network' && protocol === 'https:' && `${username}${password}` === '';
      return isPlain && GITHUB_HOSTS.includes(host);
    },
  };
}

/** Makes the feed of a folder on a web server. It may be without https only on this machine. */
function plainFeed(url: string): ReleaseFeed {
  const folder = new URL(url.endsWith('/') ? url : `${url}/`);
  const isLoopback = LOOPBACK.has(folder.hostname);
  if (folder.protocol !== 'https:' && !isLoopback) throw new Error(`${folder.origin} is not encrypted`);
  return {
    host: folder.host,
    fileHosts: [folder.host],
    isLoopback,
    latestUrl: (platform, arch) => new URL(latestFile(platform, arch), folder).href,
    fileUrl: (_version, file) => new URL(file, folder).href,
    pages: null,
    allows: (access) => new URL(access.url).origin === folder.origin,
  };
}

/**
 * Returns the name of the file that announces the newest release. Source: https://www.electron.build/auto-update, and
 * `getChannelFilePrefix` of electron-updater.
 */
function latestFile(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'linux') return `latest-linux${arch === 'x64' ? '' : `-${arch}`}.yml`;
  return platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml';
}
