import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

const view = (rig: WindowRig) => rig.request<SettingsView>('settings.get');
const collapse = (rig: WindowRig, group: string, isCollapsed: boolean) =>
  rig.request<SettingsView>('settings.collapseTools', { group, isCollapsed });
const collapsedIn = ({ toolGroups }: SettingsView) =>
  toolGroups.flatMap(({ id, isCollapsed }) => (isCollapsed ? [id] : []));
const inConfig = (rig: WindowRig) =>
  JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8')).tools.collapsed as string[];

test('each tool is in a group that is listed, and a group says what its tools take, open and collapsed', async () => {
  const rig = new WindowRig({ config: { mcpServers: { 'system-info': { enabled: false } } } });
  const { tools, toolGroups } = await view(rig);
  const ids = toolGroups.map(({ id }) => id);
  // It reaches the tools of all groups, so it is in none.
  for (const { name, group } of tools) if (name !== 'find_tools') expect(ids, name).toContain(group);
  const files = toolGroups.find(({ id }) => id === 'files');
  expect(files).toMatchObject({ isServer: false, isCollapsed: false });
  expect(files?.tokens?.collapsed).toBeLessThan(files?.tokens?.open ?? 0);
  // It lacks its key, so nothing of it is sent.
  expect(toolGroups.find(({ id }) => id === 'usage')).toMatchObject({ tokens: null });

  const before = files?.tokens?.open ?? 0;
  await rig.request('settings.setToolEnabled', { name: 'edit', isEnabled: false });
  const without = (await view(rig)).toolGroups.find(({ id }) => id === 'files');
  expect(without?.tokens?.open).toBeLessThan(before);
});

test('collapsing a group is direct and kept in config.json; others that a wildcard covers stay as they are', async () => {
  const rig = new WindowRig({ config: { tools: { collapsed: ['m*'], disabled: ['bash'] } } });
  expect(collapsedIn(await view(rig)).filter((id) => !id.startsWith('mcp:'))).toEqual(['memory', 'mail']);
  expect(collapsedIn(await collapse(rig, 'files', true))).toContain('files');
  expect(inConfig(rig)).toEqual(['m*', 'files']);
  const after = await collapse(rig, 'memory', false);
  expect(collapsedIn(after)).not.toContain('memory');
  expect(collapsedIn(after)).toEqual(expect.arrayContaining(['files', 'mail']));
  // The rest of the key is untouched.
  expect(JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8')).tools.disabled).toEqual(['bash']);
  expect(await rig.code('settings.collapseTools', { group: 'nothing', isCollapsed: true })).toBe('unknown_tool');
});
