import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HELP_TOPICS, type HelpTopic, helpText, topicIn } from '../../../src-renderer/settings/servers/help-topics.ts';

const manual = readFileSync(new URL('../../../docs/MCP.md', import.meta.url), 'utf8');
const topics = Object.keys(HELP_TOPICS) as HelpTopic[];

test.each(topics)('the help on %s is what the manual says, and it can be drawn', async (topic) => {
  const { title, blocks } = await helpText(topic);
  expect(blocks.length).toBeGreaterThan(0);
  for (const { raw } of blocks) expect(manual).toContain(raw.trim());
  expect(manual).toContain(`\n## ${title}\n`);
  const drawn = ['paragraph', 'list', 'table'];
  expect(blocks.map(({ type }) => type).filter((type) => !drawn.includes(type))).toEqual([]);
});

test('every section of the manual is a topic, so that none is written for nobody', () => {
  const headings = [...manual.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.values(HELP_TOPICS));
});

test('a topic without a section is a mistake that is found', () => {
  expect(() => topicIn('# MCP servers\n', 'add')).toThrow(RangeError);
});
