/** Files that other programs run or obey without being told to, by what does. Names are in lower case. */
const NAMES: ReadonlySet<string> = new Set(
  [
    // npm and its relatives run scripts when they install.
    ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpmfile.js'],
    // Build tools run what they find in the folder.
    ['makefile', 'gnumakefile', 'cmakelists.txt', 'justfile', 'rakefile', 'gemfile', 'meson.build', 'build.rs'],
    ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradlew', 'pom.xml', 'mvnw'],
    // pip, pytest, tox, nox and Python itself.
    ['setup.py', 'setup.cfg', 'pyproject.toml', 'conftest.py', 'pytest.ini', 'tox.ini', 'noxfile.py'],
    ['sitecustomize.py', 'usercustomize.py'],
    ['dockerfile', 'containerfile', 'docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml'],
    // Services that build and test what is pushed.
    ['.gitlab-ci.yml', '.travis.yml', 'jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'appveyor.yml'],
    // Git, direnv and shells.
    ['.gitmodules', '.gitattributes', '.pre-commit-config.yaml', 'lefthook.yml', '.envrc', '.bashrc', '.profile'],
    ['.bash_profile', '.zshrc', '.zshenv'],
  ].flat(),
);
/** Git's own, those of services that build, and those whose tasks an editor runs. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.husky',
  '.github',
  '.circleci',
  '.buildkite',
  '.vscode',
  '.idea',
  '.devcontainer',
]);
/** Such as `vite.config.ts` and `.eslintrc.cjs`: programs load them as code. Python runs each `.pth` file. */
const PATTERN = /\.config\.[cm]?[jt]s$|^\.[\w-]+rc\.[cm]?[jt]s$|\.mk$|\.pth$/;

/** Whether other programs run or obey the file at this path by themselves. */
export function isSelfRunning(path: string): boolean {
  const folders = path.toLowerCase().split(/[\\/]/);
  const name = folders.pop() ?? '';
  return NAMES.has(name) || PATTERN.test(name) || folders.some((each) => FOLDERS.has(each));
}
