import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const USAGE = { input_tokens: 2_000, output_tokens: 100, cache_read_input_tokens: 8_000 };

function namesOf(body: unknown): readonly string[] {
  const { tools = [] } = body as { tools?: { name: string }[] };
  return tools.map(({ name }) => name);
}

test('what answers take is seen below them, in the composer and in Settings; a price is changed, older messages are summarised', async (context) => {
  const api = await startMessagesApi({
    answer: ({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes('Memory expanded.')) return { text: 'Opened.', usage: USAGE };
      if (text.includes('Remember this'))
        return { blocks: [{ type: 'tool_use', name: 'Memory', input: {} }], usage: USAGE };
      return { text: text.includes('<transcript>') ? 'They greeted.' : 'Hello there.', usage: USAGE };
    },
  });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const user = new User(running);
  const { chat } = running;

  await user.ask('Hello');
  await user.sees('Hello there.');
  const line = chat.getByRole('button', { name: /10k in, 80% cached/ });
  await line.click();
  await chat.getByRole('cell', { name: 'anthropic: claude-sonnet-5-5' }).waitFor();
  await expect
    .poll(() => chat.getByRole('meter', { name: 'Context window' }).getAttribute('aria-valuetext'))
    .toContain('of 1M');
  await running.shoot('usage-line');

  await user.ask('And again');
  await user.waits();
  await user.ask('/compact');
  await chat.getByText('Older messages were summarised').click();
  await chat.getByText('They greeted.').waitFor();
  await chat.getByText('the first 2 messages').waitFor();
  await running.shoot('usage-summarised');

  await chat.getByRole('button', { name: 'Usage of this conversation' }).click();
  await chat.getByRole('dialog').getByText('3 requests').waitFor();
  await chat.getByRole('button', { name: 'All usage and prices' }).click();
  await chat.getByRole('tab', { name: labels.settings.usage, selected: true }).waitFor();
  await chat.getByText(/30k in, 80% cached/).waitFor();
  await chat.getByRole('button', { name: 'Change the price of anthropic:claude-sonnet-5-5' }).click();
  await chat.getByLabel('Input').fill('7');
  await chat.getByRole('button', { name: 'Save', exact: true }).click();
  await chat.getByText(/^\$7 in/).waitFor();
  await chat.getByText(/^Your price/).waitFor();
  await running.shoot('usage-settings');

  await chat.getByRole('tab', { name: labels.settings.tools }).click();
  const collapse = chat.getByRole('switch', { name: 'Collapse Memory' });
  await collapse.click();
  await expect.poll(() => collapse.getAttribute('aria-checked')).toBe('true');
  await running.shoot('usage-tool-groups');

  await chat.keyboard.press('Escape');
  await user.ask('Remember this');
  await user.sees('Opened.');
  const [closed, opened] = api.requests.slice(-2).map(({ body }) => namesOf(body));
  expect([closed?.includes('Memory'), closed?.includes('store_memory')]).toEqual([true, false]);
  expect([opened?.includes('Memory'), opened?.includes('store_memory')]).toEqual([false, true]);
});
