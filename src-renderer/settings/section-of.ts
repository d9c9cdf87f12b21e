import type { Problem, SettingsSection } from '../../src-preload/contract/settings.ts';

const SECTIONS: Readonly<Record<string, SettingsSection>> = {
  model: 'models',
  providers: 'models',
  endpoints: 'models',
  limits: 'models',
  prices: 'usage',
  outboxSeconds: 'accounts',
  workingDirectory: 'folders',
  folders: 'folders',
  tools: 'tools',
  mcpServers: 'servers',
  clientTools: 'programs',
  undo: 'data',
  updates: 'about',
};

/** The section where a key of config.json is set; `null` if there is none, or the whole file is meant. */
export function sectionOfKey(key: string): SettingsSection | null {
  return SECTIONS[/^\w+/.exec(key)?.[0] ?? ''] ?? null;
}

export function sectionOfProblem({ key }: Problem): SettingsSection | null {
  return key === undefined ? null : sectionOfKey(key);
}
