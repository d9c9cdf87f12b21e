import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: readonly { readonly text?: string }[] }[];
}

/** The option that Enter would take. */
function chosen(chat: Page): Locator {
  return chat.getByRole('option', { selected: true });
}

test('a resource is attached with @ and a prompt is filled in with suggestions, by keyboard alone', async (context) => {
  const api = await startMessagesApi({ turns: [{ text: 'Seen.' }], afterLast: 'repeat' });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, {
    api: api.url,
    config: { mcpServers: { everything: { command: process.execPath, args: [EVERYTHING] } } },
  });
  const running = await rig.launch();
  const user = new User(running);
  const { chat } = running;
  const { keyboard } = chat;
  await chat.getByRole('button', { name: labels.chat.reviewSettings, exact: true }).first().click();
  // The server, and then what it says of its tools.
  await user.answers(labels.consent.confirm);
  await user.answers(labels.consent.confirm);

  const message = chat.getByRole('textbox', { name: labels.chat.message });
  await message.focus();
  await keyboard.type('What does @features');
  await expect.poll(() => chosen(chat).textContent(), { timeout: 20_000 }).toContain('features.md');
  await running.shoot('resource-picker');
  await keyboard.press('Enter');
  const chips = chat.getByRole('list', { name: labels.chat.attachments });
  await chips.getByText('features.md').waitFor();
  expect(await message.inputValue()).toBe('What does ');
  await keyboard.type('say?');
  await running.shoot('resource-chip');
  await keyboard.press('Enter');
  await user.sees('Seen.');
  const asked = () => (api.requests.at(-1)?.body as Sent | undefined)?.messages ?? [];
  const [first] = asked();
  expect(first?.content[0]?.text).toMatch(
    /^Attached resource of the MCP server everything: demo:\/\/resource\/static\/document\/features\.md\n/,
  );

  await keyboard.type('/everything/comp');
  await expect.poll(() => chosen(chat).textContent()).toContain('completable-prompt');
  await running.shoot('prompt-menu');
  await keyboard.press('Enter');
  const form = chat.getByRole('form');
  await form.waitFor();
  // Back to the text, and nothing is lost.
  await keyboard.type('Sal');
  await chat.getByRole('option', { name: 'Sales' }).waitFor();
  await running.shoot('prompt-suggestions');
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(await message.inputValue()).toBe('/everything/comp');
  await keyboard.type('l');
  await keyboard.press('Enter');
  await form.waitFor();
  const department = form.getByRole('combobox').first();
  expect(await department.inputValue()).toBe('Sal');
  // What is left of a word that was typed earlier is completed too, and can be sent.
  await department.press('Backspace');
  await department.press('Backspace');
  await chat.getByRole('option', { name: 'Support' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  expect(await department.inputValue()).toBe('Sales');
  // What is required and missing is said at its field.
  await keyboard.press('Enter');
  await form.getByRole('alert').waitFor();
  await running.shoot('prompt-missing');
  await keyboard.press('Tab');
  await chat.getByRole('option', { name: 'Eve' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  expect(await form.getByRole('combobox').last().inputValue()).toBe('Eve');
  await keyboard.press('Enter');
  await chips.getByText('completable-prompt').waitFor();
  await running.shoot('prompt-prepared');
  await keyboard.press('Enter');
  await expect.poll(() => asked().length).toBe(3);
  expect(asked().at(-1)?.content[0]?.text).toContain('Please promote Eve to the head of the Sales team.');
  await running.shoot('prompt-sent');
});
