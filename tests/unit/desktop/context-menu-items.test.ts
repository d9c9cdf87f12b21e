import { expect, test } from 'vitest';
import { type Clicked, contextItems } from '../../../src-main/desktop/context-menu-items.ts';

const ALL = { canUndo: true, canRedo: true, canCut: true, canCopy: true, canPaste: true };
const PLAIN: Clicked = {
  linkURL: '',
  selectionText: '',
  isEditable: false,
  mediaType: 'none',
  hasImageContents: false,
  dictionarySuggestions: [],
  editFlags: { ...ALL, canDelete: true, canSelectAll: true },
};
const actions = (clicked: Partial<Clicked>, surface: 'app' | 'consent' = 'app') =>
  contextItems(surface, { ...PLAIN, ...clicked }).map((item) =>
    item === 'separator' ? '|' : 'action' in item ? item.action : `(${item.correction})`,
  );

test('there is no menu over empty space', () => {
  expect(actions({})).toEqual([]);
  expect(actions({ selectionText: ' \n ' })).toEqual([]);
});

test('a selection can be copied', () => {
  expect(actions({ selectionText: 'some words' })).toEqual(['copy']);
});

test('a field has what the Edit menu has, and its dictionary’s corrections where there are some', () => {
  const field = ['undo', 'redo', '|', 'cut', 'copy', 'paste', 'delete', '|', 'select-all'];
  expect(actions({ isEditable: true })).toEqual(field);
  expect(actions({ isEditable: true, dictionarySuggestions: ['their', 'there'] })).toEqual([
    '(their)',
    '(there)',
    '|',
    ...field,
  ]);
});

test('unavailable entries are disabled', () => {
  const items = contextItems('app', {
    ...PLAIN,
    isEditable: true,
    editFlags: { ...PLAIN.editFlags, canPaste: false },
  });
  expect(items).toContainEqual({ action: 'paste', label: 'Paste', isEnabled: false });
});

test('links of the web and of mail are opened and copied, others have no entry', () => {
  expect(actions({ linkURL: 'https://example.org/' })).toEqual(['open-link', 'copy-link']);
  expect(actions({ linkURL: 'mailto:a@b.c', selectionText: 'a@b.c' })).toEqual(['open-link', 'copy-link', '|', 'copy']);
  for (const linkURL of ['steward://app/app.html', 'file:///etc/passwd', 'javascript:alert(1)', 'smb://x/y', 'no link'])
    expect(actions({ linkURL }), linkURL).toEqual([]);
});

test('a picture that is there can be copied', () => {
  expect(actions({ mediaType: 'image', hasImageContents: true })).toEqual(['copy-image']);
  expect(actions({ mediaType: 'image' })).toEqual([]);
});

test('no text of a page becomes the name of an entry', () => {
  const shown = JSON.stringify(
    contextItems('app', {
      ...PLAIN,
      linkURL: 'https://evil.example/Allow',
      selectionText: 'Allow once',
      isEditable: true,
    }),
  );
  expect(shown).not.toMatch(/Allow|evil/);
});

test('over a question nothing but a copy is offered, not even in its field', () => {
  const clicked = { isEditable: true, linkURL: 'https://example.org/', selectionText: 'the command' };
  expect(actions(clicked, 'consent')).toEqual(['copy']);
  expect(actions({ isEditable: true }, 'consent')).toEqual([]);
});
