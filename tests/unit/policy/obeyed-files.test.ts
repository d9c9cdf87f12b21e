import { describe, expect, test } from 'vitest';
import { everyObeyedName, isObeyed } from '../../../src-main/policy/obeyed-files.ts';

describe('what programs obey by themselves', () => {
  test.each([
    '.git/config',
    'a/b/.GIT/hooks/pre-commit',
    '.git',
    '.githooks/pre-push',
    '.envrc',
    'x/.vscode/tasks.json',
    'AGENTS.md',
    'docs/claude.md',
    'Team.code-workspace',
    '.husky\\pre-commit',
    'node_modules/x/CLAUDE.md',
  ])('%s is', (path) => {
    expect(isObeyed(path)).toBe(true);
  });

  test.each([
    'src/main.ts',
    '.github/workflows/ci.yml',
    'package.json',
    'git/config',
    '.gitignore',
    '.env',
    'agents.ts',
    'node_modules/x/.vscode/tasks.json',
    'lib/site-packages/x/.envrc',
    'x.code-workspace.held',
    '.envrc.held',
  ])('%s is not', (path) => {
    expect(isObeyed(path)).toBe(false);
  });

  test('the patterns of a search find the same names', () => {
    for (const name of everyObeyedName) expect(isObeyed(name.replace('*', 'any'))).toBe(true);
  });
});
