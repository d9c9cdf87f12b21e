import { expect, test, vi } from 'vitest';
import type { LeftRunning } from '../../../src-preload/contract/left-running.ts';
import { processesWith } from '../../fixtures/escapes.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/** A number of seconds for which nothing else sleeps. */
const oddWord = () => `${400 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;

async function bash(rig: WindowRig, input: Record<string, unknown>) {
  const { id } = await rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: `/bash ${JSON.stringify(input)}`,
  });
  await rig.answer({ answer: 'once' });
  return id;
}

/** What the page was last told. */
const told = (rig: WindowRig) => {
  const event = rig.events.findLast(({ name }) => name === 'leftRunning');
  return (event?.data as { left: readonly LeftRunning[] } | undefined)?.left;
};

test('the card names what a command left running; the page hears of it, ends it, and hears that it has ended', async () => {
  const rig = new WindowRig();
  const word = oddWord();
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const id = await bash(rig, {
    command: `(setsid bash -c 'sleep ${word}; : --token ${secret}' >/dev/null 2>&1 &); sleep 0.2`,
  });
  await rig.turnEnded(id);
  const result = rig.turnEvents(id).find(({ type }) => type === 'tool_result') as {
    card: { leftRunning: LeftRunning };
  };
  const { leftRunning } = result.card;
  expect(leftRunning).toMatchObject({ inBackground: false, programs: [{ command: expect.stringContaining(word) }] });
  expect(JSON.stringify(leftRunning)).not.toContain(secret);
  expect(told(rig)).toEqual([leftRunning]);
  expect(rig.assistant.whatRuns()).toEqual({
    commands: [],
    programs: leftRunning.programs.map(({ command }) => command),
    canBeLeft: true,
    answering: [],
    mails: [],
    questions: 0,
  });
  expect(await rig.request('conversations.stopLeftRunning', { id: leftRunning.id })).toEqual({ isEnded: true });
  expect([processesWith(word), told(rig), rig.assistant.whatRuns()?.programs]).toEqual([[], [], []]);
  // It may have ended by itself before, or with an earlier Steward.
  expect(await rig.request('conversations.stopLeftRunning', { id: leftRunning.id })).toEqual({ isEnded: true });
});

test('a command that runs and a shell in the background are what would end with the window', async () => {
  const rig = new WindowRig();
  const [shell, command] = [oddWord(), oddWord()];
  await rig.turnEnded(await bash(rig, { command: `sleep ${shell}`, run_in_background: true }));
  const id = await bash(rig, { command: `sleep ${command}` });
  await vi.waitFor(() => expect(processesWith(command)).not.toEqual([]), SOON);
  expect(rig.assistant.whatRuns()).toMatchObject({ commands: [`sleep ${command}`], programs: [`sleep ${shell}`] });
  // A page that is loaded again is told.
  rig.events.length = 0;
  rig.assistant.appPage(true);
  expect(told(rig)?.map(({ programs }) => programs[0]?.command)).toEqual([`sleep ${shell}`]);
  await rig.request('conversations.stop', { id });
  expect(rig.assistant.whatRuns()).toMatchObject({ commands: [], programs: [`sleep ${shell}`] });
  await rig.close();
  expect([...processesWith(shell), ...processesWith(command)]).toEqual([]);
});
