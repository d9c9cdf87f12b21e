import { FixableError } from '../tools/contract.ts';

export type IpcErrorCode =
  | 'wrong_sender'
  | 'unknown_route'
  | 'wrong_surface'
  | 'bad_input'
  | 'too_large'
  | 'not_shown'
  | 'too_early'
  | 'not_pressed'
  | 'not_confirmed'
  | 'not_granted'
  | 'not_signed_in'
  | 'already_asking'
  | 'unlikely_key'
  | 'no_releases'
  | 'updates_off'
  | 'update_failed'
  | 'nothing_to_download'
  | 'already_downloaded'
  | 'nothing_to_install'
  | 'unusable_folder'
  | 'unusable_price'
  | 'refused_url'
  | 'no_gesture'
  | 'not_a_choice'
  | 'not_sent'
  | 'bad_attachment'
  | 'already_answering'
  | 'closing'
  | 'unknown_call'
  | 'unknown_key'
  | 'unknown_provider'
  | 'unknown_rule'
  | 'unknown_tool'
  | 'unknown_secret'
  | 'unknown_server'
  | 'unknown_program'
  | 'name_taken'
  | 'changed_meanwhile'
  | 'left_out_by_profile'
  | 'switched_off'
  | 'unusable_command'
  | 'unknown_resource'
  | 'not_written'
  | 'unknown_command'
  | 'not_cleared'
  | 'not_saved'
  | 'superseded';

/** A request that is refused or fails, with a message for people. */
export class IpcError extends FixableError {
  override readonly name = 'IpcError';
  readonly code: IpcErrorCode;

  constructor(code: IpcErrorCode, message: string, options?: ConstructorParameters<typeof FixableError>[1]) {
    super(message, options);
    this.code = code;
  }
}
