import { expect, test } from 'vitest';
import { FoundValues } from '../../../src-main/ipc/servers/found-values.ts';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';

/** What the page is told of another program's file. */
function told(env: Readonly<Record<string, string>>): string {
  const read = pastedServers(
    JSON.stringify({ mcpServers: { notes: { command: 'npx', args: ['-y', 'notes'], env } } }),
    splitCommandWords,
  );
  return JSON.stringify(new FoundValues().shown(read));
}

test('a secret of another program stays in main, also one that looks like a placeholder', () => {
  for (const secret of [
    'sk-ant-api03-0123456789abcdef0123',
    'my-secret-token',
    'a-token',
    'xxxx-1234-xxxx',
    '***hunter2***',
  ])
    expect(told({ NOTES_TOKEN: secret }), secret).not.toContain(secret);
});

test('a placeholder that can be nothing else is still the hint', () => {
  for (const placeholder of ['<YOUR_TOKEN>', 'your-token-here'])
    expect(told({ NOTES_TOKEN: placeholder }), placeholder).toContain(placeholder);
});
