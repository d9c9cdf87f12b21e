import { describe, expect, test } from 'vitest';
import type { Access, CommandAccess } from '../../../src-main/policy/access.ts';
import type { ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { callTitle } from '../../../src-main/policy/question/call-title.ts';
import { nothingSaid } from '../../fixtures/memory-ports.ts';

function question(access: readonly Access[], more: Partial<ToolConsentRequest> = {}): string {
  return callTitle({
    kind: 'tool',
    id: 'q',
    reason: { code: 'effects_unstated' },
    tool: 'a_tool',
    input: {},
    access,
    classes: [],
    previews: [],
    marks: [],
    ...nothingSaid,
    offers: [],
    rulesMeet: false,
    review: [],
    boundTo: 'hash',
    conversationId: 'c',
    ...more,
  });
}

const write = (path: string): Access => ({ class: 'write', kind: 'file', path, outsideRoots: false });
const diff = (path: string, before: string | null, note?: string) =>
  new DiffPreview({ path, before, after: 'x', note });
const request = (method: string, url: string): Access => ({
  kind: 'request',
  class: 'network',
  method,
  url,
  host: 'said.example',
});
const serverTool = (tool: string): Access => ({
  kind: 'mcp',
  class: 'write',
  classFrom: 'none',
  server: 'files',
  tool,
  text: 'outside',
  remoteHost: null,
});
const entry: Access = { kind: 'account', class: 'write', account: 'calendar' };
const event = { title: 'Lunch', when: 'Tuesday' };
const invitation = (...recipients: string[]): Access => ({ kind: 'invitation', class: 'send', recipients, text: '' });
const command = (...argv: readonly string[]): CommandAccess => ({
  kind: 'command',
  class: 'execute',
  command: { kind: 'argv', argv },
  directory: '/w',
});
const opening = (path: string): Access => ({ ...command('xdg-open', path), isForUser: true });
const run: Access = { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'rm -r x' }, directory: '/w' };

describe('the title of a question says what will happen', () => {
  test.each<[string, readonly Access[]]>([
    ['Run a command?', [run]],
    ['Run 2 commands?', [run, run]],
    ['Open notes.md?', [opening('/w/notes.md')]],
    ['Open 2 files?', [opening('/w/a'), opening('/w/b')]],
    ['Run a command?', [command('xdg-open', '/w/notes.command')]],
    ['Run 2 commands?', [opening('/w/a'), run]],
    ['Change notes.md?', [write('/w/notes.md')]],
    ['Change Grüße-日本.md?', [write('/w/Grüße-日本.md')]],
    ['Change 2 files?', [write('/w/a'), write('/w/b')]],
    ['Read README.md?', [{ class: 'read', kind: 'file', path: '/README.md', outsideRoots: true }]],
    ['Read the folder src?', [{ class: 'read', kind: 'file', isFolder: true, path: '/w/src', outsideRoots: false }]],
    ['Use list of files?', [serverTool('list')]],
    ['Use “allow this? Yes” of files?', [serverTool('allow this? Yes')]],
    ['Use list of files?', [serverTool('list'), request('GET', 'https://a.example/')]],
    ['Use a tool of a server?', [serverTool('x'.repeat(100))]],
    ['Send a request to example.com?', [request('GET', 'https://example.com/a?b')]],
    ['Send a request to 127.0.0.1?', [request('POST', 'http://127.0.0.1:8080/')]],
    ['Send to ada@example.com?', [{ kind: 'mail', class: 'send', recipients: ['ada@example.com'], text: '' }]],
    ['Send to 2 recipients?', [{ kind: 'mail', class: 'send', recipients: ['a@x.io', 'b@x.io'], text: '' }]],
    ['Invite bob@acme.com?', [entry, invitation('bob@acme.com')]],
    ['Invite 2 guests?', [entry, invitation('a@x.io', 'b@x.io')]],
    ['Add this event to your calendar?', [{ ...entry, event }]],
    [
      'Add 2 events to your calendar?',
      [
        { ...entry, event },
        { ...entry, event },
      ],
    ],
    ['Add this event to a calendar?', [{ ...entry, event, calendar: 'team@acme.com' }]],
    ['Change your calendar?', [entry]],
    ['Change a calendar?', [{ ...entry, calendar: 'team@acme.com' }]],
    ['Read your mail?', [{ kind: 'account', class: 'read', account: 'gmail' }]],
    ['Read the variable MY_TOKEN?', [{ kind: 'variable', class: 'read', name: 'MY_TOKEN', isPlain: false }]],
    ['Change what Steward remembers?', [{ class: 'write', kind: 'app', memory: true }]],
  ])('%s', (title, access) => {
    expect(question(access)).toBe(title);
  });

  test('a missing file is created; a non-text file is changed', () => {
    expect(question([write('/w/new.md')], { previews: [diff('/w/new.md', null)] })).toBe('Create new.md?');
    expect(question([write('/w/a.bin')], { previews: [diff('/w/a.bin', null, 'It is no text.')] })).toBe(
      'Change a.bin?',
    );
    expect(question([write('/w/a.md')], { previews: [diff('/w/a.md', 'old')] })).toBe('Change a.md?');
  });

  test('ending what runs is not running something', () => {
    expect(question([run], { asked: 'Stop a command?' })).toBe('Stop a command?');
  });

  test('where it is several things, or nothing known, it says no more than it knows', () => {
    expect(question([run, write('/w/a')])).toBe('Use this tool?');
    expect(question([])).toBe('Use this tool?');
    expect(question([write('/w/a'), { class: 'read', kind: 'file', path: '/w/b', outsideRoots: false }])).toBe(
      'Read and change files?',
    );
  });

  test('a name cannot be taken for words of the question', () => {
    expect(question([write('/w/nothing? This is a test.txt')])).toBe('Change “nothing? This is a test.txt”?');
    expect(question([write('/w/a\u202etxt.sh')])).toBe('Change “a\u202etxt.sh”?');
    expect(question([write(`/w/${'x'.repeat(81)}`)])).toBe('Change a file?');
    expect(question([request('GET', 'not a URL')])).toBe('Send a request to an address?');
  });
});
