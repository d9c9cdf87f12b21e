import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const EVERYTHING = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const { servers: words } = labels;

test('a reference server is added, reviewed, switched off, removed and brought back', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  const panel = await user.opensSettings(labels.settings.servers);
  await panel.getByRole('button', { name: words.add }).click();
  await running.chat.getByRole('menuitem', { name: words.byForm }).click();
  await panel.getByLabel(words.name, { exact: true }).fill('everything');
  await panel.getByLabel(words.command).fill(process.execPath);
  await panel.getByLabel(words.arguments).fill(`${EVERYTHING}\nstdio`);
  await running.shoot('mcp-form');

  await panel.getByRole('button', { name: words.test }).click();
  await (await user.question()).getByText(EVERYTHING).waitFor();
  await user.answers(labels.consent.confirm);
  await panel.getByRole('status').getByText('echo').waitFor();
  await running.shoot('mcp-tested');

  await panel.getByRole('button', { name: words.save }).click();
  await (await user.question()).getByText(EVERYTHING).waitFor();
  await running.shoot('mcp-grant');
  await user.answers(labels.consent.confirm);
  await (await user.question()).getByText('echo').first().waitFor();
  await running.shoot('mcp-review');
  await user.answers(labels.consent.confirm);

  const echo = panel.getByRole('article', { name: 'echo', exact: true });
  await echo.getByRole('switch', { checked: true }).waitFor();
  await running.shoot('mcp-page');
  await panel.getByRole('tab', { name: labels.settings.serverDoctor }).click();
  await panel.locator('[data-code="messages"]').waitFor();
  await running.shoot('mcp-doctor');
  await panel.getByRole('tab', { name: labels.settings.serverLog }).click();
  await panel.getByRole('option').first().waitFor();
  await running.shoot('mcp-log');
  await panel.getByRole('tab', { name: labels.settings.tools, exact: true }).click();
  const isOn = panel.getByRole('switch', { name: words.isOn('everything') });
  await isOn.click();
  await isOn.and(panel.getByRole('switch', { checked: false })).waitFor();
  await running.shoot('mcp-off');

  await panel.getByRole('button', { name: words.remove, exact: true }).click();
  await panel.getByRole('button', { name: words.add }).waitFor();
  expect(await panel.getByRole('button', { name: 'everything', exact: true }).count()).toBe(0);
  await running.chat.getByRole('button', { name: words.undoRemoval }).click();
  await panel.getByRole('button', { name: 'everything', exact: true }).click();
  await isOn.and(panel.getByRole('switch', { checked: false })).waitFor();
  await isOn.click();
  await echo.getByRole('switch', { checked: true }).waitFor();
});
