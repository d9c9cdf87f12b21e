import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInside } from '../base/paths.ts';
import { type Config, configSchema } from './config-schema.ts';
import { type KeyPath, keyText, type SettingsProblem } from './problems.ts';
import { folder as folderSchema } from './schema-parts.ts';
import { canonicalSpelling } from './spelling.ts';
import { tolerantParse } from './tolerant-parse.ts';

export interface ConfigReading {
  readonly config: Config;
  readonly problems: readonly SettingsProblem[];
  /** Paths of values without effect, which saving leaves unchanged. */
  readonly refused: readonly KeyPath[];
}

/** Reads a parsed config.json: valid values take effect, invalid ones are reported. */
export function readConfig(raw: Readonly<Record<string, unknown>>, profileDirectory: string): ConfigReading {
  const spelled = canonicalSpelling(raw);
  const { value: config, problems, refused } = tolerantParse(configSchema, spelled);
  const inProfile: SettingsProblem[] = [];
  const refusedFolders: KeyPath[] = [];
  const refuse = (path: KeyPath, folder: string) => {
    refusedFolders.push(path);
    inProfile.push({
      severity: 'error',
      code: 'bad_value',
      key: keyText(path),
      message: `${keyText(path)} (${JSON.stringify(folder)}) is in the profile folder, which is never open to tools; expected another folder. It is left out until it is corrected.`,
    });
  };
  if (config.workingDirectory !== undefined && isInProfile(config.workingDirectory, profileDirectory)) {
    refuse(['workingDirectory'], config.workingDirectory);
    config.workingDirectory = undefined;
  }
  const written = Array.isArray(spelled.folders) ? spelled.folders : [];
  config.folders = config.folders.filter((folder) => {
    if (!isInProfile(folder, profileDirectory)) return true;
    const index = written.findIndex((text) => folderSchema.safeParse(text).data === folder);
    refuse(['folders', Math.max(index, 0)], folder);
    return false;
  });
  return { config, problems: [...problems, ...inProfile], refused: [...refused, ...refusedFolders] };
}

/** The profile folder or anything in it. A parent may be a root: the policy excludes the profile from it. */
function isInProfile(folder: string, profileDirectory: string): boolean {
  return isInside(realPath(resolve(profileDirectory)), realPath(resolve(folder)));
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Missing or unreadable: then no link can be followed through it, and the policy checks again on use.
    return path;
  }
}
