/** Something that an undo does not restore, and why. */
export interface UndoRefusal {
  /** The real path of a file, or the name of a tool. */
  readonly path: string;
  readonly reason: UndoRefusalReason;
}

/** A code with parameters; the text is made here, for every surface. To add one, add a member and its text below. */
export type UndoRefusalReason =
  | { readonly code: 'as_before' }
  | { readonly code: 'already_undone' }
  /** A later call of the conversation changed the file. `tool` is null if its tool is no longer known. */
  | { readonly code: 'changed_by_call'; readonly tool: string | null }
  | { readonly code: 'changed_elsewhere' }
  | { readonly code: 'deleted' }
  | { readonly code: 'kept_changing' }
  | { readonly code: 'folder_in_its_place' }
  /** A folder is to be removed that contains what the undo leaves alone. */
  | { readonly code: 'folder_not_empty' }
  | { readonly code: 'leads_elsewhere' }
  | { readonly code: 'in_use' }
  /** A file of a database, without the others that belong to it. */
  | { readonly code: 'part_of_database' }
  | { readonly code: 'outside_roots' }
  /** The earlier version is not available. `bytes` is its size. */
  | { readonly code: 'too_large'; readonly bytes: number }
  | { readonly code: 'not_kept' }
  | { readonly code: 'dropped_meanwhile' }
  | { readonly code: 'damaged' }
  /** The tool did something other than change files. */
  | { readonly code: 'not_by_undo' }
  /** The system refused. `message` is the system's text, which may contain a path. */
  | { readonly code: 'file_problem'; readonly message: string };

type Code = UndoRefusalReason['code'];
type ReasonOf<C extends Code> = Extract<UndoRefusalReason, { code: C }>;

const TEXTS: { readonly [C in Code]: string | ((reason: ReasonOf<C>) => string) } = {
  as_before: 'it is already as it was before',
  already_undone: 'it was already undone',
  changed_by_call: ({ tool }) => `${calledTool(tool)} changed it later in this conversation; undo that first`,
  changed_elsewhere: 'you or another program has changed it since',
  deleted: 'it has since been deleted',
  kept_changing: 'it kept changing while you were being asked',
  folder_in_its_place: 'there is now a folder in its place',
  folder_not_empty: 'something else is in it',
  leads_elsewhere: 'its path now leads somewhere else',
  in_use: 'another program has it open',
  part_of_database: 'it belongs to a database, which is only restored with all its files',
  outside_roots: 'it is outside the workspace and the folders you granted',
  too_large: ({ bytes }) => `its earlier version (${bytes.toLocaleString('en')} bytes) was too large to keep`,
  not_kept: 'its earlier version is no longer kept',
  dropped_meanwhile: 'its earlier version has been deleted in the meantime',
  damaged: 'its earlier version is damaged in the database',
  not_by_undo: 'its effects can’t be undone here',
  file_problem: ({ message }) => message,
};

/** A clause: completes "{path}: …" and "{path} was left: …". */
export function undoRefusalText(reason: UndoRefusalReason): string {
  const text = TEXTS[reason.code] as string | ((reason: UndoRefusalReason) => string);
  return typeof text === 'string' ? text : text(reason);
}

/** How to refer to a call. `tool` is null if its tool is no longer known. */
export function calledTool(tool: string | null): string {
  return tool ?? 'another call';
}
