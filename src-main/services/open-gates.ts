import type { CommandGates } from '../tools/shell/command-gates.ts';

/** The networks of held commands, whose code is loaded for the first command that may need one. */
export function openGates(): Pick<CommandGates, 'use' | 'close'> {
  let loaded: Promise<CommandGates> | undefined;
  const load = async () => {
    const { CommandGates } = await import('../tools/shell/command-gates.ts');
    return new CommandGates();
  };
  const gates = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    use: async (place, connect, run) => (await gates()).use(place, connect, run),
    close: async () => (await loaded)?.close(),
  };
}
