import type { Problem } from '../../src-preload/contract/settings.ts';

export type SectionId = 'models' | 'folders' | 'tools' | 'rules' | 'appearance' | 'data' | 'about';

const SECTIONS: Readonly<Record<string, SectionId>> = {
  model: 'models',
  providers: 'models',
  endpoints: 'models',
  limits: 'models',
  workingDirectory: 'folders',
  folders: 'folders',
  tools: 'tools',
  mcpServers: 'tools',
  clientTools: 'tools',
};

/** Where a key of config.json is set in the window; `null`: nowhere, or the file as a whole is meant. */
export function sectionOfKey(key: string): SectionId | null {
  return SECTIONS[/^\w+/.exec(key)?.[0] ?? ''] ?? null;
}

export function sectionOfProblem({ key }: Problem): SectionId | null {
  return key === undefined ? null : sectionOfKey(key);
}
