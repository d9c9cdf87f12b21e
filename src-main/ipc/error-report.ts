import type { RequestError } from '../../src-preload/contract/envelope.ts';
import { ConversationBusy } from '../assistant/assistant.ts';
import { NothingToUndo } from '../assistant/undo/undo.ts';
import { ModelError } from '../models/provider.ts';
import { ModelChoiceError } from '../models/registry.ts';
import { SecretsError } from '../secrets/secrets.ts';
import { ContentFailure, EntrySettingsError, WorkspaceError } from '../services.ts';
import { SettingsError } from '../settings/problems.ts';
import { StorageError } from '../storage/database/storage-error.ts';
import { IpcError } from './ipc-error.ts';

/**
 * What a page is told about an error. Undefined if the error is not meant for people, and then no details are given.
 */
export function reportOf(error: unknown): RequestError | undefined {
  if (error instanceof IpcError || error instanceof ContentFailure) {
    const { code, message, remedies } = error;
    return { code, message, ...(remedies.length === 0 ? {} : { remedies }) };
  }
  if (
    error instanceof StorageError ||
    error instanceof SecretsError ||
    error instanceof EntrySettingsError ||
    error instanceof WorkspaceError ||
    error instanceof ModelError
  )
    return { code: error.code, message: error.message };
  if (error instanceof SettingsError) return { code: 'settings', message: error.message };
  if (error instanceof ModelChoiceError) return { code: 'model_choice', message: error.message };
  if (error instanceof NothingToUndo) return { code: 'nothing_to_undo', message: error.message };
  if (error instanceof ConversationBusy) return { code: 'conversation_busy', message: error.message };
  return undefined;
}
