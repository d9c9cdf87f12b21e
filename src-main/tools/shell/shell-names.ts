/** The name of the shell in which `execute_command` runs its lines. */
export function shellName(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'cmd.exe' : 'sh';
}

/**
 * How the model is told about the shell. Windows has no bash, and a line for it means something else there. Source:
 * tool catalogue B.2.
 */
export function bashDescription(platform: NodeJS.Platform): string {
  const where = platform === 'win32' ? ' The shell is cmd.exe: write the line for it, not for bash.' : '';
  return `Run a shell command line in the workspace and return its output (stdout, then stderr). Ends with [exit code n] if the command failed. Each call starts in a new shell: cd and variables do not persist.${where}`;
}
