import { commandInterpreter } from './windows-shell.ts';

/**
 * On Windows, `.cmd` and `.bat` files run in cmd.exe, which Node refuses to start directly because their arguments
 * would be read as a command line (CVE-2024-27980). Here every argument is quoted for the program that gets it and then
 * escaped for cmd.exe, twice, because the batch file parses it again.
 */
export function batchFileCommand(
  path: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): { command: string; args: readonly string[]; windowsVerbatimArguments: true } {
  const line = [escapeForCmd(path), ...args.map((arg) => escapeForCmd(escapeForCmd(quoteForWindows(arg))))].join(' ');
  return {
    command: commandInterpreter(environment),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

export function isBatchFile(path: string): boolean {
  return process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(path);
}

/**
 * Backslashes count only before a quote: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments.
 */
function quoteForWindows(argument: string): string {
  return `"${argument.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\*)$/, '$1$1')}"`;
}

function escapeForCmd(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
