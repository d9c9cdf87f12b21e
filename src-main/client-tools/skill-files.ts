import type { Dirent } from 'node:fs';
import { opendir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { isRecord, ownValue } from '../base/json.ts';
import { grouped } from '../base/text.ts';
import type { Skill } from './records.ts';

/**
 * Skills in a folder: one folder each with a SKILL.md, whose front matter has `name` and `description`, and other text
 * files that its text refers to. Nothing outside the skill's own folder is read, whatever symlinks there are.
 */

/** A skill as it is on disk. */
export interface FileSkill {
  readonly skill: Skill;
  /** The real path of the skill's folder. */
  readonly folder: string;
  /** Everything that a model could be given of it comes from these; SKILL.md first. */
  readonly files: readonly SkillFile[];
}

export interface SkillFile {
  /** The path in the skill's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly text: string;
}

export interface SkillProblem {
  /** The name of the folder. */
  readonly folder: string;
  /** Completes "can't be used: …". */
  readonly problem: string;
}

export interface FoundSkills {
  readonly skills: readonly FileSkill[];
  readonly problems: readonly SkillProblem[];
}

const SKILL_FILE = 'SKILL.md';
const MAX_SKILLS = 100;
const MAX_DOCUMENTS = 50;
/** The most files and folders in the whole folder, and in each folder of a skill. */
const MAX_ENTRIES = 1_000;
/** The most files and folders of all skills together. */
const MAX_ENTRIES_TOGETHER = 5_000;
const MAX_DEPTH = 5;
/** The limit for SKILL.md and each document, in bytes of UTF-8. Source: tool catalogue D.1. */
const MAX_FILE = 50 * 1024;
/** Bytes of all skills together: a user is to read them, and they are compared before every turn. */
const MAX_BYTES = 1_000_000;
const MAX_NAME_LENGTH = 64;
/** Matches a name without wildcards that doesn't look like a name with a kind, such as `skill:` or `mcp:`. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _-]*$/u;
const MAX_DESCRIPTION_LENGTH = 1024;
/** Characters: whoever made a workspace can make the parser slow, and it runs before anyone confirmed anything. */
const MAX_FRONT_MATTER_LENGTH = 4_096;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/;

class UnusableSkill extends Error {}

/** What is left of what all skills of a folder may have together. */
interface Allowance {
  entries: number;
  bytes: number;
}

interface SeenFile {
  readonly path: string;
  readonly bytes: number;
  /** Another one after any change: `ctime` can't be set back. */
  readonly version: string;
}

interface ReadSkill {
  readonly versions: string;
  /** A text: why it can't be used. */
  readonly outcome: FileSkill | UnusableSkill;
}

/** Reads a skill again only if one of its files has changed. */
export class SkillFolder {
  #read = new Map<string, ReadSkill>();

  /** The skills in the order of their folders' names. A folder that does not exist has none. */
  async skillsIn(folder: string): Promise<FoundSkills> {
    const skills: FileSkill[] = [];
    const problems: SkillProblem[] = [];
    const read = new Map<string, ReadSkill>();
    const allowance: Allowance = { entries: MAX_ENTRIES_TOGETHER, bytes: MAX_BYTES };
    try {
      const parent = await realpath(folder);
      const folders = (await entriesOf(parent)).filter(isFolder);
      for (const [index, { name }] of folders.entries()) {
        try {
          if (index >= MAX_SKILLS) throw new UnusableSkill(`there are more than ${MAX_SKILLS} skills`);
          skills.push(otherThan(skills, await this.#skillIn(join(parent, name), allowance, read)));
        } catch (error) {
          problems.push({ folder: name, problem: errorMessage(error) });
        }
      }
    } catch (error) {
      if (error instanceof UnusableSkill) problems.push({ folder: basename(folder), problem: error.message });
    }
    this.#read = read;
    return { skills, problems };
  }

  async #skillIn(root: string, allowance: Allowance, read: Map<string, ReadSkill>): Promise<FileSkill> {
    const seen = await filesIn(root, allowance);
    const versions = JSON.stringify(seen.map(({ path, version }) => [path, version]));
    const before = this.#read.get(root);
    const outcome = before?.versions === versions ? before.outcome : await outcomeOf(root, seen);
    read.set(root, { versions, outcome });
    if (outcome instanceof UnusableSkill) throw outcome;
    return outcome;
  }
}

function otherThan(skills: readonly FileSkill[], added: FileSkill): FileSkill {
  const key = ({ skill }: FileSkill) => skill.name.toLowerCase();
  if (skills.some((other) => key(other) === key(added)))
    throw new UnusableSkill(`another skill is named ${added.skill.name}`);
  return added;
}

/** SKILL.md and the text files beside it, folders included. */
async function filesIn(root: string, allowance: Allowance): Promise<readonly SeenFile[]> {
  const paths: string[] = [];
  const visit = async (folder: string, depth: number) => {
    if (depth > MAX_DEPTH) throw new UnusableSkill(`its folders are more than ${MAX_DEPTH} deep`);
    for (const entry of await entriesOf(join(root, folder))) {
      allowance.entries -= 1;
      if (allowance.entries < 0)
        throw new UnusableSkill(`all skills together have more than ${grouped(MAX_ENTRIES_TOGETHER)} files`);
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) await visit(path, depth + 1);
      else if (entry.isFile() && path !== SKILL_FILE) paths.push(path);
      if (paths.length > MAX_DOCUMENTS) throw new UnusableSkill(`it has more than ${MAX_DOCUMENTS} files`);
    }
  };
  await visit('', 0);
  const skillFile = await seenInside(root, SKILL_FILE);
  if (skillFile.bytes > MAX_FILE) throw new UnusableSkill(`${SKILL_FILE} is larger than 50 KB`);
  const others = await Promise.all(paths.map((path) => seenInside(root, path)));
  // Pictures and the like are no text for a model.
  const files = [skillFile, ...others.filter(({ bytes }) => bytes <= MAX_FILE)];
  allowance.bytes -= files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (allowance.bytes < 0)
    throw new UnusableSkill(`all skills together have more than ${grouped(MAX_BYTES)} bytes of text`);
  return files;
}

async function outcomeOf(root: string, seen: readonly SeenFile[]): Promise<FileSkill | UnusableSkill> {
  try {
    return await skillOf(root, seen);
  } catch (error) {
    if (error instanceof UnusableSkill) return error;
    throw error;
  }
}

async function skillOf(folder: string, seen: readonly SeenFile[]): Promise<FileSkill> {
  const texts = await Promise.all(seen.map(({ path }) => readInside(folder, path)));
  const files = texts.filter(({ path, text }) => path === SKILL_FILE || !(text.includes('\0') || text === ''));
  const [{ text } = { text: '' }, ...others] = files;
  const { yaml, body } = FRONT_MATTER.exec(text)?.groups ?? {};
  if (yaml === undefined || body === undefined) throw new UnusableSkill('SKILL.md does not begin with front matter');
  if (yaml.length > MAX_FRONT_MATTER_LENGTH)
    throw new UnusableSkill(`its front matter is longer than ${grouped(MAX_FRONT_MATTER_LENGTH)} characters`);
  const facts = await parsed(yaml);
  const name = fact(facts, 'name', MAX_NAME_LENGTH);
  if (!NAME.test(name)) throw new UnusableSkill('its name has other characters than letters, digits, spaces, - and _');
  const skill: Skill = {
    name,
    description: fact(facts, 'description', MAX_DESCRIPTION_LENGTH),
    functionResult: body.trim() === '' ? `The skill ${name} has no text.` : body.trim(),
    references: [],
    documents: others.map((file) => ({ id: file.path, description: `The file ${file.path}`, content: file.text })),
  };
  return { skill, folder, files };
}

/** The parser is loaded only if there is a skill, because most people have none. */
async function parsed(yaml: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    // A warning would be printed, with text of the file.
    return parse(yaml, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    // The lines after the first one draw the place.
    const [first = ''] = errorMessage(error).split('\n');
    throw new UnusableSkill(`its front matter is no YAML: ${first.replace(/:$/, '')}`);
  }
}

function fact(facts: unknown, name: string, longest: number): string {
  const value = isRecord(facts) ? ownValue(facts, name) : undefined;
  if (typeof value !== 'string' || value.trim() === '') throw new UnusableSkill(`SKILL.md gives no ${name}`);
  const line = value.trim().replace(/\s+/g, ' ');
  if (line.length > longest) throw new UnusableSkill(`its ${name} is longer than ${longest} characters`);
  return line;
}

async function seenInside(root: string, path: string): Promise<SeenFile> {
  const { size, ino, mtimeMs, ctimeMs } = await stat(await insidePath(root, path));
  return { path, bytes: size, version: [ino, size, mtimeMs, ctimeMs].join(' ') };
}

async function readInside(root: string, path: string): Promise<SkillFile> {
  const content = await readFile(await insidePath(root, path));
  // The file may have grown since it was looked at.
  if (content.length > MAX_FILE) throw new UnusableSkill(`${path} is larger than 50 KB`);
  return { path, bytes: content.length, text: content.toString('utf8') };
}

/**
 * The path of a regular file that really is in this folder. Anything else is refused: a link to `~/.ssh/id_rsa` would
 * otherwise be read as a skill.
 */
async function insidePath(root: string, path: string): Promise<string> {
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined) throw new UnusableSkill(`it has no ${path}`);
  if (!real.startsWith(root + sep)) throw new UnusableSkill(`${path} leads out of its folder`);
  if (!(await stat(real)).isFile()) throw new UnusableSkill(`${path} is no file`);
  return real;
}

/** A symlink to a folder is no skill: what it leads to is not in this folder. */
function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.');
}

/** The entries by name. A folder that has too many is not read at all. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  const opened = await opendir(folder).catch(() => undefined);
  if (opened === undefined) return [];
  for await (const entry of opened) {
    entries.push(entry);
    if (entries.length > MAX_ENTRIES)
      throw new UnusableSkill(`${basename(folder)} has more than ${grouped(MAX_ENTRIES)} files and folders`);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
