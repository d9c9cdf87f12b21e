import type { settings } from '../../../src-preload/contract/settings.ts';
import { withCollapsed } from '../../tools/registry/tool-groups.ts';
import { toolGrant } from '../conversations/command-answers.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import type { SettingsChange } from './settings-change.ts';
import { knownGroups } from './tool-group-rows.ts';

type ToolRoutes = 'setToolEnabled' | 'collapseTools' | 'setSkillEnabled' | 'confirmSkills';

/** Which tools and skills a model is offered. */
export function toolHandlers({
  services,
  desktop,
  signal,
  question,
  changed,
}: SettingsChange): Pick<Handlers<typeof settings>, ToolRoutes> {
  const { registry } = services;
  return {
    setToolEnabled: async ({ name, isEnabled }) => {
      const tool = registry.get(name);
      if (tool === undefined) throw new IpcError('unknown_tool', `There is no tool ${JSON.stringify(name)}.`);
      if (isEnabled && registry.isLeftOutByProfile(tool))
        throw new IpcError(
          'left_out_by_profile',
          `${tool.name} is left out because tools.profile in config.json is "lean". Set it to "all" to have it.`,
        );
      if (isEnabled && !registry.isEnabled(tool)) {
        const item = toolGrant([tool]);
        await question.confirm(() => services.askForGrant(item, signal), `${tool.name} stays switched off.`);
        await registry.enable([tool.name]);
      } else if (!isEnabled) await registry.disable([tool.name]);
      return changed();
    },

    collapseTools: async ({ group, isCollapsed }, circumstances) => {
      needGesture(desktop, circumstances);
      const groups = knownGroups(registry);
      const id = groups.find((each) => each === group);
      if (id === undefined) throw new IpcError('unknown_tool', `There is no group of tools ${JSON.stringify(group)}.`);
      await services.settings.update(({ tools }) => ({
        tools: { ...tools, collapsed: [...withCollapsed(id, isCollapsed, tools.collapsed, groups)] },
      }));
      return changed();
    },

    setSkillEnabled: async ({ name, isEnabled }) => {
      const skill = (await services.skills.list()).find((each) => each.name === name);
      if (skill === undefined) throw new IpcError('unknown_tool', `There is no skill ${JSON.stringify(name)}.`);
      if (isEnabled && skill.state === 'off') {
        if (skill.isOffAsTool === true)
          throw new IpcError(
            'switched_off',
            `tools.disabled in config.json contains ${name}, too. Type /tools enable ${name} first.`,
          );
        const item = { subject: 'tool', key: `skill:${name}`, value: skill.description } as const;
        await question.confirm(() => services.askForGrant(item, signal), `${name} stays switched off.`);
        await services.skills.enable(name);
      } else if (!isEnabled) await services.skills.disable(name);
      return changed();
    },

    confirmSkills: async () => {
      await question.confirm(() => services.skills.confirm(signal), 'Its skills are not used.');
      return changed();
    },
  };
}
