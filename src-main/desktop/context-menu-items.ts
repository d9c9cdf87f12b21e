import type { SurfaceName } from './surface-files.ts';

/** What Chromium reports about the click. Everything in it that comes from the page is untrusted. */
export interface Clicked {
  readonly linkURL: string;
  readonly selectionText: string;
  readonly isEditable: boolean;
  readonly mediaType: string;
  readonly hasImageContents: boolean;
  readonly dictionarySuggestions: readonly string[];
  readonly editFlags: {
    readonly canUndo: boolean;
    readonly canRedo: boolean;
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canDelete: boolean;
    readonly canSelectAll: boolean;
  };
}

export type ContextAction =
  | 'open-link'
  | 'copy-link'
  | 'copy-image'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'delete'
  | 'select-all';

export type ContextItem =
  | 'separator'
  | { readonly action: ContextAction; readonly label: string; readonly isEnabled: boolean }
  /** A suggestion from the system's dictionary, if there is one. */
  | { readonly correction: string };

const MAX_CORRECTIONS = 5;
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * The entries of a page's context menu. If there are none, no menu opens. Labels are fixed, so that no page can name an
 * entry. Over a question only copying is offered, because answers are given in the question itself.
 */
export function contextItems(surface: SurfaceName, clicked: Clicked): readonly ContextItem[] {
  const { editFlags, selectionText } = clicked;
  const copy = selectionText.trim() === '' ? [] : [item('copy', 'Copy', editFlags.canCopy)];
  if (surface === 'consent') return copy;
  const groups = [
    linkItems(clicked.linkURL),
    clicked.mediaType === 'image' && clicked.hasImageContents ? [item('copy-image', 'Copy Image')] : [],
    ...(clicked.isEditable ? fieldGroups(clicked) : [copy]),
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index) => (index === 0 ? group : ['separator' as const, ...group]));
}

function linkItems(url: string): ContextItem[] {
  if (!URL.canParse(url) || !SCHEMES.has(new URL(url).protocol)) return [];
  const isMail = url.startsWith('mailto:');
  return [
    item('open-link', isMail ? 'Write an Email' : 'Open Link'),
    item('copy-link', isMail ? 'Copy Email Address' : 'Copy Link'),
  ];
}

function fieldGroups({ editFlags, dictionarySuggestions }: Clicked): ContextItem[][] {
  return [
    dictionarySuggestions.slice(0, MAX_CORRECTIONS).map((correction) => ({ correction })),
    [item('undo', 'Undo', editFlags.canUndo), item('redo', 'Redo', editFlags.canRedo)],
    [
      item('cut', 'Cut', editFlags.canCut),
      item('copy', 'Copy', editFlags.canCopy),
      item('paste', 'Paste', editFlags.canPaste),
      item('delete', 'Delete', editFlags.canDelete),
    ],
    [item('select-all', 'Select All', editFlags.canSelectAll)],
  ];
}

function item(action: ContextAction, label: string, isEnabled = true): ContextItem {
  return { action, label, isEnabled };
}
