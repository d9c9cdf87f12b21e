import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  HELP_TOPICS,
  helpText,
  helpTitle,
  type Manual,
  manualOf,
  topicIn,
} from '../../../src-renderer/settings/help/help-topics.ts';

const manuals: Readonly<Record<Manual, string>> = {
  servers: read('docs/MCP.md'),
  google: read('docs/GOOGLE.md'),
  programs: read('docs/CLIENT-TOOLS.md'),
};

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

test.each(HELP_TOPICS)('the help on %s is what the manual says, and it can be drawn', async (topic) => {
  const manual = manuals[manualOf(topic)];
  const { title, blocks } = await helpText(topic);
  expect(blocks.length).toBeGreaterThan(0);
  for (const { raw } of blocks) expect(manual).toContain(raw.trim());
  expect(manual).toContain(`\n## ${title}\n`);
  const drawn = ['paragraph', 'list', 'table', 'code'];
  expect(blocks.map(({ type }) => type).filter((type) => !drawn.includes(type))).toEqual([]);
});

test.each(Object.entries(manuals))(
  'every section of the manual “%s” is a topic, so that none is written for nobody',
  (name, manual) => {
    const headings = [...manual.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(HELP_TOPICS.filter((topic) => manualOf(topic) === name).map(helpTitle));
  },
);

test('a topic without a section is a mistake that is found', () => {
  expect(() => topicIn('# MCP servers\n', 'add')).toThrow(RangeError);
});
