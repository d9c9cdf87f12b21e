import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientHost, RunInput } from '../../../src-main/client-tools/records.ts';
import { SkillFolder } from '../../../src-main/client-tools/skill-files.ts';
import { FileSkills } from '../../../src-main/services/file-skills.ts';

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-skills-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function writeSkill(folder: string, name: string, body = 'Text.'): string {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'SKILL.md'), `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`);
  return root;
}

test('a skill is read again only after a change, also if its size and times are as before', async () => {
  const folder = temporaryFolder();
  const root = writeSkill(folder, 'a', 'One.');
  writeSkill(folder, 'b');
  const skills = new SkillFolder();
  const time = new Date(1_700_000_000_000);
  utimesSync(join(root, 'SKILL.md'), time, time);
  const [a, b] = (await skills.skillsIn(folder)).skills;
  const again = await skills.skillsIn(folder);
  expect(again.skills[0]).toBe(a);
  writeSkill(folder, 'a', 'Two.');
  utimesSync(join(root, 'SKILL.md'), time, time);
  const changed = await skills.skillsIn(folder);
  expect(changed.skills[0]?.skill.functionResult).toBe('Two.');
  expect(changed.skills[1]).toBe(b);
});

test('files that are too deep, too many or too large are not read, and the rest is', async () => {
  const folder = temporaryFolder();
  const skills = new SkillFolder();
  const problems = async () => (await skills.skillsIn(folder)).problems.map(({ folder: name }) => name);
  writeSkill(folder, 'good');
  const deep = writeSkill(folder, 'deep');
  mkdirSync(join(deep, '1', '2', '3', '4', '5', '6'), { recursive: true });
  const wide = writeSkill(folder, 'wide');
  for (let number = 0; number < 1_100; number++) mkdirSync(join(wide, String(number)));
  expect(await problems()).toEqual(['deep', 'wide']);
  for (let number = 0; number < 21; number++) {
    const large = writeSkill(folder, `large-${number}`);
    writeFileSync(join(large, 'text.md'), 'x'.repeat(50_000));
  }
  expect((await skills.skillsIn(folder)).skills.length).toBeLessThan(21);
  for (let number = 0; number < 1_100; number++) mkdirSync(join(folder, `empty-${number}`));
  expect((await skills.skillsIn(folder)).skills).toEqual([]);
  expect(await problems()).toHaveLength(1);
});

test('front matter that is slow to parse is not parsed, and nothing of it is printed', async () => {
  const folder = temporaryFolder();
  const written = {
    long: `{${'a,'.repeat(2_048)}a}`,
    alias: '&a x\nb: *a',
    tagged: '!!js/function x',
    twice: 'x\nname: another',
  };
  for (const [name, value] of Object.entries(written)) {
    mkdirSync(join(folder, name));
    writeFileSync(
      join(folder, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: About it.\nmore: ${value}\n---\nText.\n`,
    );
  }
  const warned = vi.spyOn(process, 'emitWarning');
  onTestFinished(() => warned.mockRestore());
  const { skills, problems } = await new SkillFolder().skillsIn(folder);
  expect(warned).not.toHaveBeenCalled();
  expect(skills.map(({ skill }) => skill.name)).toEqual(['tagged']);
  expect(problems).toEqual([
    { folder: 'alias', problem: expect.stringContaining('Alias') },
    { folder: 'long', problem: 'its front matter is longer than 4,096 characters' },
    { folder: 'twice', problem: expect.stringContaining('unique') },
  ]);
});

test('the text of a workspace’s skill has the marks of what was read before a tool wrote it', async () => {
  const workspace = temporaryFolder();
  const skillFolder = writeSkill(join(workspace, '.steward', 'skills'), 'notes');
  writeSkill(join(workspace, '.steward', 'skills'), 'own');
  let host: ClientHost | undefined;
  const registered: RunInput[] = [];
  const skills = new FileSkills({
    profileDirectory: join(workspace, 'profile'),
    settings: {
      realWorkspace: workspace,
      isConfirmed: () => true,
      grantWith: async () => true,
      confirmUnlessDeclined: async () => 'confirmed',
    },
    clients: {
      close: () => undefined,
      of: () => ({
        register: async (input, from) => {
          host = from;
          registered.push(input);
          return { groups: [] };
        },
        attach: () => undefined,
        answer: () => undefined,
        disconnected: () => undefined,
      }),
      forget: () => undefined,
    },
    disabled: { load: () => [], update: async () => undefined },
    marksOf: (folder) => (folder === skillFolder ? [{ kind: 'untrusted', source: 'a page' }] : []),
    isToolSwitchedOff: () => false,
    log: () => undefined,
  });
  await skills.offerIn('conversation');
  expect(registered[0]?.clientToolGroups?.[0]?.skills?.map(({ name }) => name)).toEqual(['notes', 'own']);
  const kinds = (name: string) => host?.ownCode?.marksOf(name).map(({ kind }) => kind);
  expect(kinds('notes')).toEqual(['untrusted', 'private']);
  expect(kinds('own')).toEqual(['private']);
});
