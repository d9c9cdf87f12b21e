import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { heldByGit } from '../../../src-main/assistant/undo/held-by-git.ts';
import { Checkpoints } from '../../../src-main/checkpoints/checkpoints.ts';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { checkpointPlace, leasesIn } from '../../fixtures/checkpoint-place.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { processPorts } from '../../fixtures/process-ports.ts';

beforeEach(needPosix);

const GIT = 'git -c user.name=a -c user.email=a@b.example -c gc.auto=0';
/** Makes so many files in a folder, no two of them the same. */
const files = (count: number, folder: string) =>
  `mkdir -p ${folder}; for i in $(seq ${count}); do echo "${folder} $i" > ${folder}/$i.txt; done`;
const COMMITTED = `git init -q .; ${files(150, 'src')}; ${GIT} add src; ${GIT} commit -qm first`;

function shell(root: string, line: string): void {
  execFileSync('bash', ['-c', line], { cwd: root, stdio: 'ignore' });
}

/** What a command is said to have deleted that nothing else holds, in a folder that was prepared by a line. */
async function deletedBy(command: string, prepare: string) {
  const place = checkpointPlace();
  shell(place.root, prepare);
  const ports = { processes: new ProcessRunner(processPorts), env: process.env };
  const checkpoints = new Checkpoints(place.profile, {
    limits: () => KEPT_LIMITS,
    leases: leasesIn(place.profile),
    heldByGit: (deleted) => heldByGit(deleted, ports),
    maxWaitMs: 60_000,
  });
  onTestFinished(() => checkpoints.close());
  const { end } = await checkpoints.begin({ conversationId: 'c', turnId: 't', callId: 'call', roots: [place.root] });
  shell(place.root, command);
  const { changes } = await end(false);
  return { place, changes, massDeleted: changes.massDeleted };
}

test.each([
  ['more than a hundred files', 'rm -r photos', `${files(101, 'photos')}; ${files(2_000, 'other')}`, 101],
  ['a tenth of the folder', 'rm -r photos', `${files(25, 'photos')}; ${files(200, 'other')}`, 25],
  ['less than that', 'rm -r photos', `${files(25, 'photos')}; ${files(300, 'other')}`, undefined],
  ['all of a small folder', 'rm -r photos', files(12, 'photos'), undefined],
  ['files that only got another name', 'mv photos pictures', files(150, 'photos'), undefined],
  ['files that a commit has', 'rm -r src', COMMITTED, undefined],
  [
    'files that another branch has',
    `${GIT} switch -q other`,
    `${COMMITTED}; ${GIT} switch -qc other; ${GIT} rm -rq src; ${GIT} commit -qm none; ${GIT} switch -q -`,
    undefined,
  ],
  ['files that were changed since', 'rm -r src', `${COMMITTED}; sed -i s/$/x/ src/*`, 150],
  ['files that Git does not know', `${GIT} clean -fdq`, `${COMMITTED}; ${files(120, 'data')}`, 120],
  ['files that Git ignores', 'rm -r out', `${COMMITTED}; echo out/ > .gitignore; ${files(120, 'out')}`, undefined],
  [
    'files that Git ignores since the command began',
    "rm -r data; echo '*' > .gitignore",
    `${COMMITTED}; ${files(120, 'data')}`,
    120,
  ],
  [
    'files that only its own repository ignores since the command began',
    "rm -r data; echo '*' > .git/info/exclude",
    `${COMMITTED}; ${files(120, 'data')}`,
    120,
  ],
  [
    'files that a newly named file ignores',
    "rm -r data; echo '*' > rules; git config core.excludesFile rules",
    `${COMMITTED}; ${files(120, 'data')}`,
    120,
  ],
  [
    'files that a new repository ignores',
    "rm -r data; echo 'gitdir: other' > .git",
    `${files(120, 'data')}; git init -q --bare other; git -C other config core.bare false; echo '*' > other/info/exclude`,
    120,
  ],
  ['a few beside many that a commit has', 'rm -r src new', `${COMMITTED}; ${files(10, 'new')}`, undefined],
  [
    'files that a commit of a repository in the folder has',
    'rm -r project/src',
    `mkdir project; cd project; ${COMMITTED}`,
    undefined,
  ],
  [
    'lines that Git ends differently',
    'rm -r src',
    `git init -q .; git config core.autocrlf true; ${files(150, 'src')}; sed -i 's/$/\\r/' src/*; ${GIT} add src; ${GIT} commit -qm first`,
    undefined,
  ],
  ['Git packs its objects', `${GIT} gc -q --prune=now`, COMMITTED, undefined],
] as const)('%s', async (_what, command, prepare, expected) => {
  expect((await deletedBy(command, prepare)).massDeleted).toBe(expected);
});

test('with the repository, nothing has its files', async () => {
  const { massDeleted, changes } = await deletedBy('rm -rf .git src', COMMITTED);
  expect(massDeleted).toBeGreaterThan(300);
  expect(massDeleted).toBeLessThanOrEqual(changes.counts.deleted);
});

test('what was deleted is kept for thirty days', async () => {
  const { place } = await deletedBy('rm -r photos', files(120, 'photos'));
  expect(place.store.statement('SELECT command FROM mass_deletions').all()).toEqual([{ command: 1 }]);
});

test('no program that the repository names is started', async () => {
  const program = (name: string) => `printf '#!/bin/sh\\ntouch "$0.ran"\\n' > ${name}; chmod +x ${name}`;
  const { place, massDeleted } = await deletedBy(
    'rm -r data',
    `${COMMITTED}; ${files(120, 'data')}; ${['monitor', 'ssh', 'pager'].map(program).join('; ')}
     git config core.fsmonitor "$PWD/monitor"; git config core.sshCommand "$PWD/ssh"; git config core.pager "$PWD/pager"
     git config core.repositoryFormatVersion 1; git config extensions.partialClone origin
     git config remote.origin.promisor true; git config remote.origin.url ssh://host.example/x.git`,
  );
  expect(massDeleted).toBe(120);
  for (const name of ['monitor', 'ssh', 'pager']) expect(existsSync(join(place.root, `${name}.ran`))).toBe(false);
});
