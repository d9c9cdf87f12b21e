import type { ServerForm } from '../../../src-preload/contract/servers.ts';
import type { SettingsPart } from '../../services.ts';
import { IpcError } from '../ipc-error.ts';
import { withLaterChanges, withLaterValues } from '../later-changes.ts';
import { serverForm } from './server-view.ts';

/** A form with what config.json changed since it was opened. Throws `IpcError` (`changed_meanwhile`). */
export function withChangesOfFile(form: ServerForm, opened: ServerForm, services: SettingsPart): ServerForm {
  const name = form.name.trim();
  const now = serverForm(name, services);
  if (now === undefined) return form;
  // Command and address belong to the kind of connection: half of each would be neither what the user entered nor what
  // the file has.
  if (now.transport !== opened.transport)
    throw new IpcError(
      'changed_meanwhile',
      `The connection of “${name}” was changed in config.json while this form was open. Nothing was saved. Close the form and open it again.`,
    );
  return {
    ...withLaterChanges(form, opened, now),
    env: withLaterValues(form.env, opened.env, now.env),
    headers: withLaterValues(form.headers, opened.headers, now.headers),
  };
}
