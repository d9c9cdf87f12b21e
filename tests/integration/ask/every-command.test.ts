import { expect, test } from 'vitest';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';

test('with tools.askBeforeCommands every command asks, but for what was let free', async (context) => {
  needSandbox(context);
  const ask = askRig({ config: { tools: { askBeforeCommands: true } } });
  const decided = async (...args: readonly string[]) => {
    const { events } = await ask.events(args);
    return ofType(events, 'decision').map(({ answer, by }) => `${answer} by ${by}`);
  };
  const reading = '/bash {"command": "ls"}';
  const readOnly = '/bash {"command": "node -p 6*7", "sandbox": "read-only"}';
  for (const command of [reading, readOnly]) {
    expect(await decided('--approve', 'none', command)).toEqual(['deny by flag']);
    expect(await decided('--approve', 'reads', command)).toEqual(['allow by flag']);
    expect(await decided('--approve', 'none', '--work-freely', command)).toEqual(['allow by grant']);
  }
  expect(await decided('--approve', 'none', '/read_file {"path": "a.txt"}')).toEqual(['allow by default']);
});
