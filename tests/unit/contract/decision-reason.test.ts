import { expect, test } from 'vitest';
import {
  type DecisionReason,
  decisionReasonSentence,
  decisionReasonText,
  questionReasonText,
  reasonBesideKey,
} from '../../../src-preload/contract/decision-reason.ts';

/** Reasons that repeat another one repeat this. */
const asked: DecisionReason = { code: 'text', text: 'It asks.' };

/** Each code once; where a parameter changes the sentence, each value. */
const SENTENCES: readonly (readonly [DecisionReason, string])[] = [
  [{ code: 'send' }, 'Steward always asks before it sends anything in your name.'],
  [
    { code: 'command' },
    'Steward asks before it runs a command, unless one of your rules allows exactly this command in this folder.',
  ],
  [
    { code: 'shell_line' },
    'Steward asks before it runs a command. Steward always asks about command lines with more than plain commands, pipes and &&.',
  ],
  [
    { code: 'command_without_rule', why: 'deletes' },
    'Steward asks before it runs a command. Steward always asks about commands that delete.',
  ],
  [
    { code: 'command_without_rule', why: 'opens' },
    'Steward asks before it opens anything in another program. No rule can cover this, because the program that opens it can change.',
  ],
  [
    { code: 'command_untrusted' },
    'Text from outside is in this conversation, so Steward asks before it runs a command, unless you allowed exactly this command after that text was read.',
  ],
  [
    { code: 'repository', repository: '/w' },
    'Steward asks once before it reads the repository /w with git. The output can contain anything that was ever committed there.',
  ],
  [{ code: 'write' }, 'Steward asks before it changes files, unless one of your rules allows edits in that folder.'],
  [
    { code: 'account_write', account: 'calendar' },
    'Steward asks before it changes your calendar, unless one of your rules allows it.',
  ],
  [
    { code: 'account_write_untrusted', account: 'gmail' },
    'Text from outside is in this conversation, so Steward asks before it changes your mailbox, unless you allowed it after that text was read.',
  ],
  [
    { code: 'account_shared', calendar: 'team@acme.com' },
    'Other people may see the calendar team@acme.com, so Steward asks each time before it changes it.',
  ],
  [
    { code: 'private_network' },
    'Steward asks before it connects to your own machine or network, unless one of your rules allows that host.',
  ],
  [{ code: 'secret_variable' }, 'This variable may contain a secret, so Steward asks each time before it is read.'],
  [{ code: 'memory_marked' }, 'Text from outside is in this conversation, so Steward asks before it writes to memory.'],
  [
    { code: 'unreviewed_files', paths: ['/w/package.json'] },
    '/w/package.json was changed after text from outside was read. Until you have reviewed it, your rules for commands there do not apply.',
  ],
  [
    { code: 'unreviewed_files', paths: ['/w/a', '/w/b', '/w/c', '/w/d'] },
    '/w/a, /w/b, /w/c and /w/d were changed after text from outside was read. Until you have reviewed them, your rules for commands there do not apply.',
  ],
  [
    { code: 'unreviewed_files', paths: ['/w/a', '/w/b', '/w/c', '/w/d', '/w/e'] },
    '/w/a, /w/b, /w/c and 2 other files were changed after text from outside was read. Until you have reviewed them, your rules for commands there do not apply.',
  ],
  [
    { code: 'review' },
    'Tools changed this after text from outside was read. Until you have reviewed it, your rules for commands in its folder do not apply.',
  ],
  [
    { code: 'other_model_marked' },
    'Private text and text from outside are both in this conversation, so Steward asks before it sends text to another model.',
  ],
  [{ code: 'effects_unstated' }, 'This tool doesn’t declare its effects, so Steward asks.'],
  [
    { code: 'read_outside', path: '/repo/README.md' },
    '/repo/README.md is outside the workspace and the folders you granted, so Steward asks before it is read.',
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
      ['provider-test', 'a model provider that is contacted once, to see whether it works'],
      ['mcp-server', 'a program or server whose tools the assistant may use'],
      ['mcp-classes', 'the classes of a server’s tools, which determine what runs without asking'],
      ['mcp-text', 'whose text a server returns, which determines how much Steward asks afterwards'],
      ['tool', 'a tool the assistant may use'],
      ['google-client', 'the app that Steward signs in to Google as'],
      ['key', 'the account that conversations and requests go to'],
    ] as const
  ).map(
    ([subject, what]) =>
      [
        { code: 'permission_grant', key: 'k', subject, state: 'new' },
        `k is new. It names ${what}, so it takes effect only if you confirm it.`,
      ] as const,
  ),
  [
    { code: 'permission_grant', key: 'mcpServers[notes].signIn', subject: 'mcp-sign-in', state: 'new' },
    'Your browser opens so that you can sign in. The tools of this server may then act in your name.',
  ],
  [
    { code: 'permission_grant', key: 'mcpServers[notes].signIn', subject: 'mcp-sign-in', state: 'replaced' },
    'This server needs more than you granted when you signed in, so your browser opens again. Its tools may then use all of this in your name.',
  ],
  [{ code: 'undo', tools: ['edit'] }, 'This undoes what edit did.'],
  [{ code: 'redo', tools: ['bash'] }, 'This makes the changes of bash again.'],
  [{ code: 'undo', tools: ['edit', null, 'append_file'] }, 'This undoes what edit, another call and append_file did.'],
  [
    { code: 'changed_while_asked', asked: { code: 'undo', tools: ['edit'] } },
    'The effects of this changed while you were being asked, so you are asked again. This undoes what edit did.',
  ],
  [
    { code: 'changed_while_asked', asked },
    'The effects of this changed while you were being asked, so you are asked again. It asks.',
  ],
  [{ code: 'read_only' }, 'It only reads and changes nothing.'],
  [{ code: 'own_model' }, 'Asking a model that you configured is allowed.'],
  [{ code: 'inside_app' }, 'It affects nothing outside Steward.'],
  [
    { code: 'every_command' },
    'You want to be asked before every command, also before this one, which can change nothing.',
  ],
  [{ code: 'command_reads' }, 'It only reads in the workspace and the folders you granted.'],
  [{ code: 'read_inside' }, 'Reading in the workspace and the folders you granted is allowed.'],
  [{ code: 'public_address' }, 'Reading public addresses is allowed.'],
  [{ code: 'all_of', reasons: [asked, { code: 'text', text: 'So does this.' }] }, 'It asks. So does this.'],
  [
    { code: 'rules', rules: ['edit files in /w', 'read from a.b'] },
    'Your rules allow it: edit files in /w; read from a.b.',
  ],
  [{ code: 'allowed_once' }, 'You allowed it once.'],
  [
    { code: 'allowed_and_kept', scope: 'conversation', rule: 'edit files in /w' },
    'You allowed it for this conversation: edit files in /w.',
  ],
  [
    { code: 'allowed_and_kept', scope: 'week', rule: 'work freely in /w' },
    'You allowed it for a week: work freely in /w.',
  ],
  [{ code: 'allowed_and_kept', scope: 'always', rule: 'edit files in /w' }, 'You always allow it: edit files in /w.'],
  [{ code: 'flag_allows', flag: 'reads' }, '--approve reads allows it.'],
  [{ code: 'declined' }, 'You declined it.'],
  [{ code: 'not_confirmed' }, 'You did not confirm it.'],
  [{ code: 'flag_denies', flag: 'none', asked }, '--approve none denies everything that needs approval. It asks.'],
  [{ code: 'flag_denies', flag: 'all', asked }, '--approve all does not cover this. It asks.'],
  [
    { code: 'nobody_asked', asked },
    'There was no one to ask: there is no terminal, and --approve was not given. It asks.',
  ],
  [{ code: 'allowed_reviewed' }, 'You reviewed the changed files and allowed it.'],
  [{ code: 'terminal_ended' }, 'The terminal input ended before the question was answered.'],
  [{ code: 'write_outside' }, 'Nothing may be changed outside the workspace and the folders you granted.'],
  [{ code: 'outside_roots' }, 'Outside the workspace and the folders you granted'],
  [
    { code: 'private_network_off' },
    'Connecting to your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
  ],
  [{ code: 'kept_changing' }, 'The effects of the call kept changing while you were being asked.'],
  [{ code: 'rule_not_offered' }, 'The answer named a rule that was not offered, so nothing was allowed.'],
  [{ code: 'stopped' }, 'Stopped before it was decided'],
  [{ code: 'unknown_tool' }, 'There is no such tool.'],
  [
    { code: 'tool_unavailable', needs: 'a Brave Search key' },
    'The tool is not available: it needs a Brave Search key.',
  ],
  [{ code: 'tool_disabled' }, 'The tool is disabled.'],
  [{ code: 'invalid_json' }, 'The input is not valid JSON.'],
  [{ code: 'invalid_input' }, 'The call is not valid.'],
  [{ code: 'impossible' }, 'The call cannot be made with these arguments'],
  [{ code: 'text', text: 'as it was said' }, 'as it was said'],
];

test.each(SENTENCES)('%j', (reason, text) => {
  expect(decisionReasonText(reason)).toBe(text);
});

test('in the window each reason is a sentence', () => {
  for (const [reason] of SENTENCES)
    if (reason.code !== 'text') expect(decisionReasonSentence(reason)).toMatch(/^[\w/-].*[^.]\.$/);
});

test('beside the key of a value, its reason does not name it again, however deep it is', () => {
  const grant = { code: 'permission_grant', key: 'folders[/data]', subject: 'folder', state: 'new' } as const;
  const text =
    'It is new. It names a folder that tools may read and change, so it takes effect only if you confirm it.';
  expect(reasonBesideKey(grant)).toBe(text);
  const nobody = reasonBesideKey({ code: 'nobody_asked', asked: grant });
  expect(nobody).toContain(text);
  expect(nobody).not.toContain(grant.key);
});

test('the user who is asked about a value reads what happens then, not its key', () => {
  const grant = {
    code: 'permission_grant',
    key: 'endpoints.anthropic',
    subject: 'endpoint',
    state: 'changed',
  } as const;
  expect(questionReasonText(grant)).toBe(
    'What is meant for this service then goes to this address instead, keys and conversations included. It was changed since you confirmed it.',
  );
  const signIn = { ...grant, subject: 'mcp-sign-in', state: 'new' } as const;
  expect(questionReasonText(signIn)).toBe(decisionReasonText(signIn));
  expect(questionReasonText({ code: 'write' })).toBe(decisionReasonText({ code: 'write' }));
});
