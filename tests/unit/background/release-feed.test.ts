import { expect, test } from 'vitest';
import { parseFeed } from '../../../src-main/background/updates/release-feed.ts';
import type { NetworkAccess } from '../../../src-main/network/network-access.ts';

const feed = parseFeed('provider: github\nowner: steward-desktop\nrepo: Steward\n');
const allows = (url: string, accessClass: NetworkAccess['class'] = 'network') =>
  feed.allows({ kind: 'request', class: accessClass, host: new URL(url).hostname, method: 'GET', url });

test.for([
  'https://github.com/steward-desktop/Steward/releases/latest/download/latest-linux.yml',
  'https://objects.githubusercontent.com/x?y=z',
  'https://release-assets.githubusercontent.com:443/x',
])('releases of GitHub come from %s', (url) => {
  expect(allows(url)).toBe(true);
});

test.for([
  'http://github.com/steward-desktop/Steward/releases/x',
  'https://github.com:8443/x',
  'https://github.com.evil/x',
  'https://github.com.:443/x',
  'https://evil-github.com/x',
  'https://api.github.com/x',
  'https://raw.githubusercontent.com/x/y/z',
  'https://gist.githubusercontent.com/x',
  'https://github.com@evil.example/x',
  'https://ada:secret@github.com/x',
  'https://evil.example/https://github.com/',
  'ftp://github.com/x',
])('no redirect leads to %s', (url) => {
  expect(allows(url)).toBe(false);
});

test('a name of GitHub that leads into a private network is not followed', () => {
  expect(allows('https://github.com/x', 'network-private')).toBe(false);
});
