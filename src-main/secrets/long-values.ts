import { randomBytes } from 'node:crypto';
import type { Keychain } from './keychain.ts';

/** The beginning of an entry that stands for parts. A value that happens to begin like that is kept in parts too. */
const MARK = 'steward-parts:';
const HEAD = /^steward-parts:([0-9a-f]{8}):([1-9]\d{0,3})$/;

/**
 * The same keychain for values of any length. One that is longer than `limit` characters is kept in numbered parts. A
 * new value gets parts with names of their own, and counts from the moment in which its head is written, so that no
 * reader sees half of it.
 */
export function inParts(keychain: Keychain, limit: number): Keychain {
  const headOf = (text: string | undefined) => {
    const [, id, count] = HEAD.exec(text ?? '') ?? [];
    return id === undefined ? undefined : { id, count: Number(count) };
  };
  const read = async (account: string): Promise<string | undefined> => {
    const stored = await keychain.get(account);
    const head = headOf(stored);
    if (head === undefined) return stored;
    const parts: string[] = [];
    for (const name of partNames(account, head)) {
      const part = await keychain.get(name);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts.join('');
  };
  const removeParts = async (account: string, head: Head | undefined) => {
    for (const name of head === undefined ? [] : partNames(account, head)) await keychain.remove(name);
  };
  return {
    // Another process may have replaced it in between.
    get: async (account) => (await read(account)) ?? read(account),

    set: async (account, value) => {
      const before = headOf(await keychain.get(account));
      if (value.length <= limit && !value.startsWith(MARK)) {
        await keychain.set(account, value);
      } else {
        const parts = slices(value, limit);
        const head = { id: randomBytes(4).toString('hex'), count: parts.length };
        for (const [index, name] of partNames(account, head).entries()) await keychain.set(name, parts[index] ?? '');
        await keychain.set(account, `${MARK}${head.id}:${head.count}`);
      }
      await removeParts(account, before);
    },

    remove: async (account) => {
      const before = headOf(await keychain.get(account));
      const wasThere = await keychain.remove(account);
      await removeParts(account, before);
      return wasThere;
    },
  };
}

interface Head {
  readonly id: string;
  readonly count: number;
}

function partNames(account: string, { id, count }: Head): string[] {
  return Array.from({ length: count }, (_, index) => `${account}/${id}/${index + 1}`);
}

function slices(value: string, length: number): string[] {
  return Array.from({ length: Math.ceil(value.length / length) }, (_, index) =>
    value.slice(index * length, (index + 1) * length),
  );
}
