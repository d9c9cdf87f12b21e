import type { SettingsView } from '../../src-preload/contract/settings.ts';

type Tool = SettingsView['tools'][number];

/** What each access class means to the person; strong ones act outside the folder or in the person's name. */
export const ACCESS_TEXTS: Readonly<Record<string, { readonly label: string; readonly isStrong: boolean }>> = {
  read: { label: 'reads', isStrong: false },
  write: { label: 'writes', isStrong: false },
  execute: { label: 'runs commands', isStrong: true },
  network: { label: 'internet', isStrong: false },
  'network-private': { label: 'your network', isStrong: true },
  send: { label: 'sends in your name', isStrong: true },
};

/** The tools with every word of the query in their name, title, description or class. */
export function matchingTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, title, description, access }) => {
    const text =
      `${name} ${name.replaceAll('_', ' ')} ${title} ${description} ${ACCESS_TEXTS[access]?.label ?? access}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
