import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AskRig, askRig, ofType } from '../../fixtures/ask.ts';
import { answeredAtTerminal } from '../../fixtures/ask-at-terminal.ts';
import { needTerminal } from '../../fixtures/machine-needs.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

const HELLO = ['--model', 'claude-sonnet-4-5', 'hello'];

function writeSkill({ workspace }: AskRig, body: string): void {
  const folder = join(workspace, '.steward', 'skills', 'invoices');
  mkdirSync(join(folder, 'references'), { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), `---\nname: invoices\ndescription: How we write invoices.\n---\n${body}\n`);
  writeFileSync(join(folder, 'references', 'bank.md'), 'IBAN DE02 1203\n');
}

/** A model that answers every question. `offered` are the tools of the last request. */
async function rigWithModel() {
  const api = await startMessagesApi({ answer: () => ({ text: 'ok' }) });
  onTestFinished(() => api.close());
  const rig = askRig({ api: api.url });
  const offered = () => {
    const { tools } = (api.requests.at(-1)?.body ?? { tools: [] }) as { readonly tools: readonly { name: string }[] };
    return tools.map(({ name }) => name);
  };
  const notices = async (args: readonly string[]) => {
    const { events } = await rig.events([...args, ...HELLO]);
    return ofType(events, 'notice').flatMap(({ code, message }) => (code === 'skills_unconfirmed' ? [message] : []));
  };
  return { rig, offered, notices };
}

test('without a terminal, a notice says how many skills wait; --approve all confirms exactly these, until they change', async () => {
  const { rig, offered, notices } = await rigWithModel();
  writeSkill(rig, 'Net 30 days.');
  expect(await notices([])).toEqual([expect.stringMatching(/^1 skill of this folder is not used /)]);
  expect(offered()).not.toContain('invoices');
  expect(await notices(['--approve', 'reads'])).toHaveLength(1);
  expect(offered()).not.toContain('invoices');
  expect(await notices(['--approve', 'all'])).toEqual([]);
  expect(offered()).toContain('invoices');
  expect(await notices([])).toEqual([]);
  expect(offered()).toContain('invoices');
  writeSkill(rig, 'Net 3 days.');
  const changed = await notices([]);
  expect(changed).toEqual([expect.not.stringContaining('--approve')]);
  // Only a user reviews a change.
  expect(await notices(['--approve', 'all'])).toEqual(changed);
  expect(offered()).not.toContain('invoices');
});

test('on a terminal the user is shown all files; a no is remembered, and is the yes of no later run, except of one with --approve all', async (context) => {
  needTerminal(context);
  const { rig, offered, notices } = await rigWithModel();
  writeSkill(rig, 'Net 30 days.');
  const guide = ['--model', 'guide', 'what time is it'];
  const screen = await answeredAtTerminal(rig, guide, 'n');
  for (const shown of ['Use the skills of this folder?', 'Net 30 days.', 'references/bank.md', 'IBAN DE02 1203'])
    expect(screen).toContain(shown);
  const again = await answeredAtTerminal(rig, guide, 'y');
  expect(again).not.toContain('Your answer');
  // They have decided: there is nothing to tell them.
  for (const shown of [screen, again]) expect(shown).not.toContain('1 skill of this folder');
  expect(await notices([])).toEqual([]);
  expect(await notices(['--approve', 'reads'])).toEqual([]);
  expect(offered()).not.toContain('invoices');
  writeSkill(rig, 'Net 3 days.');
  expect(await notices(['--approve', 'all'])).toHaveLength(1);
  expect(offered()).not.toContain('invoices');
  writeSkill(rig, 'Net 30 days.');
  expect(await notices(['--approve', 'all'])).toEqual([]);
  expect(offered()).toContain('invoices');
  writeSkill(rig, 'Net 3 days.');
  expect(await answeredAtTerminal(rig, guide, 'y')).toContain('Net 3 days.');
  expect(await notices([])).toEqual([]);
  expect(offered()).toContain('invoices');
});
