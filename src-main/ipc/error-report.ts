import { ConversationBusy } from '../assistant/assistant.ts';
import { NothingToUndo } from '../assistant/undo/undo.ts';
import { ModelError } from '../models/provider.ts';
import { ModelChoiceError } from '../models/registry.ts';
import { SecretsError } from '../secrets/secrets.ts';
import { ContentFailure, ServerSettingsError, WorkspaceError } from '../services.ts';
import { SettingsError } from '../settings/problems.ts';
import { StorageError } from '../storage/database/storage-error.ts';
import { IpcError } from './ipc-error.ts';

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
}

/** What a page is told about an error; `undefined`: the error is not meant for people, so no details are given. */
export function reportOf(error: unknown): ErrorReport | undefined {
  if (
    error instanceof IpcError ||
    error instanceof StorageError ||
    error instanceof SecretsError ||
    error instanceof ServerSettingsError ||
    error instanceof WorkspaceError ||
    error instanceof ModelError ||
    error instanceof ContentFailure
  )
    return { code: error.code, message: error.message };
  if (error instanceof SettingsError) return { code: 'settings', message: error.message };
  if (error instanceof ModelChoiceError) return { code: 'model_choice', message: error.message };
  if (error instanceof NothingToUndo) return { code: 'nothing_to_undo', message: error.message };
  if (error instanceof ConversationBusy) return { code: 'conversation_busy', message: error.message };
  return undefined;
}
