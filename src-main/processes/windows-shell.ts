import { windowsProgram } from './system-program.ts';

/**
 * The program that Windows runs command lines with. In a copy of the environment, names are no longer looked up
 * regardless of their case.
 */
export function commandInterpreter(environment: NodeJS.ProcessEnv): string {
  const named = Object.entries(environment).find(([name]) => name.toUpperCase() === 'COMSPEC')?.[1];
  return named || 'cmd.exe';
}

/**
 * A line for cmd.exe whose output is UTF-8; without this, programs print in the code page of the system's language.
 * chcp is given by its path, because cmd.exe would look for the bare name in the working folder first.
 */
export function lineInUtf8(line: string, environment: NodeJS.ProcessEnv): string {
  return `"${windowsProgram('chcp', environment)}" 65001>nul&${line}`;
}
