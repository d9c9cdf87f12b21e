import type { FileReview } from '../assistant/review/file-review.ts';
import type { Notice } from '../assistant/turn.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { FileSkills, type FileSkillsPorts } from './file-skills.ts';
import type { OpenProfile } from './open-profile.ts';

export interface ConfiguredSkillsPorts extends Pick<FileSkillsPorts, 'clients'> {
  readonly profile: Pick<OpenProfile, 'directory' | 'settings' | 'effective'>;
  readonly review: Pick<FileReview, 'marksOf'>;
  readonly registry: Pick<ToolRegistry, 'isSwitchedOff'>;
  readonly notify: (notice: Notice) => void;
}

/** The skills of the profile and the workspace, without those that config.json switches off. */
export function configuredSkills({ profile, clients, review, registry, notify }: ConfiguredSkillsPorts): FileSkills {
  const { directory, settings, effective } = profile;
  return new FileSkills({
    profileDirectory: directory,
    settings: effective,
    clients,
    disabled: {
      load: () => settings.current.tools.disabledSkills,
      update: (change) =>
        settings.update((draft) => {
          draft.tools.disabledSkills = [...change(draft.tools.disabledSkills)];
          return undefined;
        }),
    },
    marksOf: (path) => review.marksOf([{ class: 'read', kind: 'file', isFolder: true, path, outsideRoots: false }]),
    isToolSwitchedOff: (name) => registry.isSwitchedOff([name]),
    log: (message) => notify({ code: 'skills_unusable', message }),
  });
}
