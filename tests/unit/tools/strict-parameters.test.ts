import { expect, test } from 'vitest';
import { builtInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { Tool } from '../../../src-main/tools/contract.ts';
import { validateInput } from '../../../src-main/tools/registry/validation.ts';
import { askModelTool } from '../../../src-main/tools/session/ask-model.ts';

/**
 * Optional parameters for which a value that can't be converted is left out: without it no more is done, or it only
 * changes how much is returned.
 */
const LENIENT: Readonly<Record<string, readonly string[]>> = {
  // The user is told less, or nothing runs.
  bash: ['description', 'run_in_background', 'timeout', 'reason'],
  // The usual time limit holds instead, and the same command runs.
  run_command: ['timeout_seconds', 'reason'],
  execute_command: ['timeout', 'reason'],
  // How much of the same is returned, or how it is written.
  bash_output: ['filter'],
  read_file: ['offset', 'limit'],
  grep: [
    'output_mode',
    'case_insensitive',
    'line_numbers',
    'context_before',
    'context_after',
    'multiline',
    'head_limit',
  ],
  search_code: ['regex', 'case_sensitive'],
  web_fetch: ['maxChars'],
  web_search: ['count'],
  linkedin_jobs: ['limit', 'sortBy'],
  gmail_search: ['maxResults'],
  calendar_list_events: ['maxResults'],
  search_memory: ['max_results'],
  find_tools: ['count'],
  anthropic_usage: ['bucket_width', 'group_by', 'limit'],
  get_environment_variable: ['default'],
  // Without it, less is done.
  list_files: ['recursive'],
  edit: ['replace_all'],
  // Any value but the four is answered with them.
  http_request: ['method'],
};

const asked = askModelTool({
  name: 'ask_other',
  provider: 'other',
  model: 'm',
  description: undefined,
  maxTokens: 1_000,
  address: () => undefined,
});
const tools = [...builtInTools.map(({ tool }) => tool), asked];

function optionalOf({ inputSchema }: Tool): readonly string[] {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  return Object.keys(Object(inputSchema.properties)).filter((name) => !required.includes(name));
}

test('of every optional parameter of our own tools it is decided what a misfit does', () => {
  for (const tool of tools) {
    const decided = [...(tool.strictParameters ?? []), ...(LENIENT[tool.name] ?? [])];
    expect([...decided].sort(), tool.name).toEqual([...optionalOf(tool)].sort());
  }
});

test('without a parameter that was asked for, nothing wider is done: a misfit is an error', () => {
  const required = { command: 'x', content: 'x', file_path: 'a', url: 'https://example.org', query: 'q', pattern: 'p' };
  const more = { keyword: 'k', summary: 's', start: '2026-03-01', end: '2026-03-02', eventId: 'e', prompt: 'p' };
  const usage = { action: 'usage', starting_at: '2026-03-01' };
  for (const tool of tools) {
    for (const name of tool.strictParameters ?? []) {
      // Any value can be sent as JSON.
      if (name === 'body') continue;
      const given = name === 'headers' ? 'X-Dry-Run: 1' : { odd: 'value' };
      const misfit = name.endsWith('_domains') ? [{ odd: 1 }] : given;
      const result = validateInput(
        { ...tool, refusesUnknown: undefined },
        { ...required, ...more, ...usage, [name]: misfit },
      );
      expect(result.ok ? name : result.text, `${tool.name}.${name}`).toMatch(
        new RegExp(`^Error.*: ${name}(\\[0\\])? must be `),
      );
    }
  }
});

test('a tool that sends, or writes to an account, refuses what it does not know', () => {
  expect(tools.flatMap(({ name, refusesUnknown }) => (refusesUnknown === true ? [name] : []))).toEqual([
    'http_request',
    'http_post',
    'gmail_send',
    'calendar_create_event',
  ]);
  const textOf = (name: string, input: object) => {
    const tool = tools.find((each) => each.name === name);
    const result = tool === undefined ? undefined : validateInput(tool, input);
    return result?.ok === false ? result.text : undefined;
  };
  const mail = { to: 'ada@example.org', subject: 's', body: '' };
  expect(textOf('gmail_send', { ...mail, cc: 'bob@example.org' })).toBe('Error: unknown parameter cc');
  expect(textOf('gmail_send', mail)).toBeUndefined();
  const event = { summary: 's', start: '2026-03-01', end: '2026-03-02' };
  expect(textOf('calendar_create_event', { ...event, attendee: 'a@example.org' })).toBe(
    'Error: unknown parameter attendee (did you mean attendees?)',
  );
  expect(textOf('calendar_create_event', { ...event, attendees: ['a@example.org'] })).toBe(
    'Error: attendees must be a string',
  );
  expect(textOf('http_post', { url: 'https://example.org', data: 'x', header: {} })).toBe(
    'Error: unknown parameter header (did you mean headers?)',
  );
  expect(textOf('http_post', { url: 'https://example.org', data: 'x' })).toBeUndefined();
});
