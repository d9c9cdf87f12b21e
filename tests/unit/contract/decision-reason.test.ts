import { expect, test } from 'vitest';
import {
  type DecisionReason,
  decisionReasonSentence,
  decisionReasonText,
} from '../../../src-preload/contract/decision-reason.ts';

/** For reasons that repeat another one. */
const asked: DecisionReason = { code: 'text', text: 'It asks.' };

/** Each code once; where a parameter changes the sentence, each value. */
const SENTENCES: readonly (readonly [DecisionReason, string])[] = [
  [{ code: 'send' }, 'Sending in your name always asks.'],
  [
    { code: 'command' },
    'Running a command asks first, unless a rule of yours allows exactly this command in this folder.',
  ],
  [
    { code: 'shell_line' },
    'Running a command asks first. Steward always asks about lines with more in them than plain commands, pipes and &&.',
  ],
  [
    { code: 'command_without_rule', why: 'deletes' },
    'Running a command asks first. Steward always asks about commands that delete.',
  ],
  [
    { code: 'command_untrusted' },
    'While text from outside is in this conversation, running a command asks, unless you allowed exactly this command here and it was there already.',
  ],
  [
    { code: 'repository', repository: '/w' },
    'Looking into the repository /w with git asks once. What it shows can hold everything that was ever committed there.',
  ],
  [{ code: 'write' }, 'Changing files asks first, unless a rule of yours allows edits in that folder.'],
  [
    { code: 'private_network' },
    'Reaching your own machine or network asks first, unless a rule of yours allows that host.',
  ],
  [{ code: 'secret_variable' }, 'This variable may hold a secret, so reading it asks every time.'],
  [{ code: 'memory_marked' }, 'Text from outside is in this conversation, so writing to memory asks.'],
  [
    { code: 'unreviewed_files', paths: ['/w/package.json'] },
    '/w/package.json was changed after text from outside was read. Until you have looked at it, no rule answers for commands there.',
  ],
  [
    { code: 'unreviewed_files', paths: ['/w/a', '/w/b', '/w/c', '/w/d'] },
    '/w/a, /w/b, /w/c and /w/d were changed after text from outside was read. Until you have looked at them, no rule answers for commands there.',
  ],
  [
    { code: 'unreviewed_files', paths: ['/w/a', '/w/b', '/w/c', '/w/d', '/w/e'] },
    '/w/a, /w/b, /w/c and 2 other files were changed after text from outside was read. Until you have looked at them, no rule answers for commands there.',
  ],
  [
    { code: 'review' },
    'Tools changed this after text from outside was read. Until you have looked at it, no rule answers for commands in its folder.',
  ],
  [
    { code: 'other_model_marked' },
    'Private text and text from outside are both in this conversation, so handing text to another model asks.',
  ],
  [{ code: 'effects_unstated' }, 'This tool does not say what the call would touch, so it asks.'],
  [
    { code: 'read_outside', path: '/repo/README.md' },
    '/repo/README.md is outside the workspace and the folders that you granted, so reading it asks.',
  ],
  [
    { code: 'address_not_named', address: 'example.org' },
    'Private text and text from outside are both in this conversation, and you have not named or allowed example.org.',
  ],
  [
    { code: 'permission_grant', key: 'folders[/data]', subject: 'folder', state: 'new' },
    'folders[/data] is new. It names a folder that tools may read and change, so it takes effect only if you confirm it.',
  ],
  [
    { code: 'permission_grant', key: 'workingDirectory', subject: 'workspace', state: 'replaced' },
    'workingDirectory would be replaced. It names a folder to work in, so it takes effect only if you confirm it.',
  ],
  [
    { code: 'permission_grant', key: 'endpoints.anthropic', subject: 'endpoint', state: 'changed' },
    'endpoints.anthropic was changed since you confirmed it. It names an address that keys and conversations are sent to, so it takes effect only if you confirm it.',
  ],
  ...(
    [
      ['provider', 'a model provider that keys and conversations are sent to'],
      ['mcp-server', 'a program or server whose tools the assistant may use'],
      ['mcp-classes', 'what tools of a server do, and so which of them run without asking'],
      ['mcp-text', 'whose text a server brings, and so how much is asked afterwards'],
      ['rule', 'a rule that answers in your place'],
      ['tool', 'a tool that the assistant may use'],
      ['key', 'the account that conversations and requests go to'],
    ] as const
  ).map(
    ([subject, what]) =>
      [
        { code: 'permission_grant', key: 'k', subject, state: 'new' },
        `k is new. It names ${what}, so it takes effect only if you confirm it.`,
      ] as const,
  ),
  [{ code: 'undo', tools: ['edit'] }, 'This takes back what edit did. Taking it back cannot be undone.'],
  [
    { code: 'undo', tools: ['edit', null, 'append_file'] },
    'This takes back what edit, another call and append_file did. Taking it back cannot be undone.',
  ],
  [
    { code: 'changed_while_asked', asked: { code: 'undo', tools: ['edit'] } },
    'What this would change became different while you were being asked, so you are asked again. This takes back what edit did. Taking it back cannot be undone.',
  ],
  [
    { code: 'changed_while_asked', asked },
    'What this would touch changed while you were being asked, so you are asked again. It asks.',
  ],
  [{ code: 'read_only' }, 'It only looks, and changes nothing.'],
  [{ code: 'own_model' }, 'Asking a model that you configured is allowed.'],
  [{ code: 'inside_app' }, 'It stays inside Steward.'],
  [{ code: 'command_reads' }, 'It only reads, inside the workspace and the folders that you granted.'],
  [{ code: 'read_inside' }, 'Reading in the workspace and the folders that you granted is allowed.'],
  [{ code: 'public_address' }, 'Reading public addresses is allowed.'],
  [{ code: 'all_of', reasons: [asked, { code: 'text', text: 'So does this.' }] }, 'It asks. So does this.'],
  [
    { code: 'rules', rules: ['edit files in /w', 'read from a.b'] },
    'A rule of yours allows it: edit files in /w; read from a.b.',
  ],
  [{ code: 'allowed_once' }, 'You allowed it this once.'],
  [
    { code: 'allowed_and_kept', scope: 'conversation', rule: 'edit files in /w' },
    'You allowed it, and for this conversation: edit files in /w.',
  ],
  [
    { code: 'allowed_and_kept', scope: 'always', rule: 'edit files in /w' },
    'You allowed it, and always: edit files in /w.',
  ],
  [{ code: 'flag_allows', flag: 'reads' }, '--approve reads allows it.'],
  [{ code: 'declined' }, 'You declined it.'],
  [{ code: 'not_confirmed' }, 'You did not confirm it.'],
  [{ code: 'flag_denies', flag: 'none', asked }, '--approve none denies everything that asks. It asks.'],
  [{ code: 'flag_denies', flag: 'all', asked }, '--approve all does not answer for this. It asks.'],
  [
    { code: 'nobody_asked', asked },
    'Nobody could be asked: there is no terminal, and --approve was not given. It asks.',
  ],
  [{ code: 'allowed_reviewed' }, 'You looked at the changed files, and allowed it.'],
  [{ code: 'terminal_ended' }, 'The input of the terminal ended before there was an answer.'],
  [{ code: 'write_outside' }, 'Nothing is changed outside the workspace and the folders that you granted.'],
  [{ code: 'outside_roots' }, 'Outside the workspace and the folders that you granted'],
  [
    { code: 'private_network_off' },
    'Reaching your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
  ],
  [{ code: 'kept_changing' }, 'What the call would touch kept changing while you were being asked.'],
  [{ code: 'rule_not_offered' }, 'The answer would have kept a rule that was not offered, so nothing was allowed.'],
  [{ code: 'stopped' }, 'Stopped before it was decided'],
  [{ code: 'unknown_tool' }, 'There is no such tool.'],
  [
    { code: 'tool_unavailable', needs: 'a Brave Search key' },
    'The tool is not available: it needs a Brave Search key.',
  ],
  [{ code: 'tool_disabled' }, 'The tool is disabled.'],
  [{ code: 'invalid_json' }, 'The input is not valid JSON.'],
  [{ code: 'invalid_input' }, 'The call is not valid.'],
  [{ code: 'impossible' }, 'The call cannot be made as it is'],
  [{ code: 'text', text: 'as it was said' }, 'as it was said'],
];

test.each(SENTENCES)('%j', (reason, text) => {
  expect(decisionReasonText(reason)).toBe(text);
});

test('in the window each of them is a sentence', () => {
  for (const [reason] of SENTENCES)
    if (reason.code !== 'text') expect(decisionReasonSentence(reason)).toMatch(/^[\w/-].*[^.]\.$/);
});
