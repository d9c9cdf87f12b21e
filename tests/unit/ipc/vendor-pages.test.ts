import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inMailbox, isOwnAddress } from '../../../src-main/ipc/vendor-pages.ts';
import { gmailPage } from '../../../src-renderer/tool-cards/mail-text.ts';

const manual = readFileSync(new URL('../../../docs/GOOGLE.md', import.meta.url), 'utf8');

test('every page that the help on Google names opens without a question', () => {
  const links = [...manual.matchAll(/\]\((https:[^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !isOwnAddress(new URL(link).href))).toEqual([]);
});

test('the page of a mail opens without a question too, but nothing that only looks like it', () => {
  const page = gmailPage('18c2f0a1b2c3d4e5') ?? '';
  expect(isOwnAddress(new URL(page).href)).toBe(true);
  for (const other of [
    'https://mail.google.com/mail/?view=cm&to=x@evil.example&body=secret#all/18c2f0a1b2c3d4e5',
    'https://mail.google.com.evil.example/mail/#all/18c2f0a1b2c3d4e5',
    'https://mail.google.com/mail/#all/what+was+read',
    `${page}0000000000000000000000000000000000000000`,
  ])
    expect(isOwnAddress(new URL(other).href), other).toBe(false);
});

test('a mail opens in the mailbox that it is in, and no address adds anything else to the page', () => {
  const page = gmailPage('18c2f0a1b2c3d4e5') ?? '';
  const opened = (address: string) => new URL(inMailbox(page, address));
  expect(opened('ada@example.com').href).toBe(
    'https://mail.google.com/mail/u/?authuser=ada%40example.com#all/18c2f0a1b2c3d4e5',
  );
  const { searchParams, hash, pathname } = opened('a&view=cm#b/../@example.com');
  expect([[...searchParams.keys()], hash, pathname]).toEqual([['authuser'], '#all/18c2f0a1b2c3d4e5', '/mail/u/']);
  expect(inMailbox(page, undefined)).toBe(page);
  expect(inMailbox('https://example.com/#all/18c2f0a1b2c3d4e5', 'ada@example.com')).toBe(
    'https://example.com/#all/18c2f0a1b2c3d4e5',
  );
});
