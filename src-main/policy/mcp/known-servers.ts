import type { TemplateId } from '../../../src-preload/contract/servers.ts';
import type { McpClass } from './mcp-class.ts';

/** A server whose tools we know: what each does, according to its source. Source: tool catalogue C.6 to C.8. */
export interface KnownServer {
  readonly id: 'system-info' | TemplateId;
  /**
   * The class of each tool, by its name as the server gives it. A tool that is not listed is as unknown as any other
   * server's.
   */
  readonly classes: Readonly<Record<string, McpClass>>;
  /** The parameters of each tool that name a local file, which tools must be allowed to read. */
  readonly fileParameters: Readonly<Record<string, readonly string[]>>;
}

const READ = 'read';
const WRITE = 'write';
const SEND = 'send';

/** Source: tool catalogue C.6. */
const SYSTEM_INFO: KnownServer = {
  id: 'system-info',
  classes: { system_info: READ, disk_info: READ, network_info: READ },
  fileParameters: {},
};

/** Source: tool catalogue C.7. */
const WHATSAPP: KnownServer = {
  id: 'whatsapp',
  classes: {
    search_contacts: READ,
    list_messages: READ,
    list_chats: READ,
    get_chat: READ,
    get_direct_chat_by_contact: READ,
    get_contact_chats: READ,
    get_last_interaction: READ,
    get_message_context: READ,
    download_media: WRITE,
    send_message: SEND,
    send_file: SEND,
    send_audio_message: SEND,
  },
  fileParameters: { send_file: ['media_path'], send_audio_message: ['media_path'] },
};

/** Source: tool catalogue C.8. */
const INTERVIEW_ASSIST: KnownServer = {
  id: 'interview-assist',
  classes: {
    ia_healthcheck: READ,
    stt_list_devices: READ,
    stt_get_updates: READ,
    stt_get_session: READ,
    ia_evaluate_session: WRITE,
    ia_transcribe_once: WRITE,
    stt_start_session: WRITE,
    stt_stop_session: WRITE,
    ia_list_recordings: WRITE,
    ia_analyze_session: WRITE,
    ia_compare_strategies: WRITE,
    ia_tune_threshold: WRITE,
    ia_regression_test: WRITE,
    ia_create_baseline: WRITE,
  },
  fileParameters: {},
};

/** What people are told when they confirm what a template made. */
const KNOWN_AS: Readonly<Record<TemplateId, string>> = {
  whatsapp: 'WhatsApp: reading chats runs without asking, sending always asks.',
  'interview-assist':
    'Interview Assist: reading devices and transcripts runs without asking, recording and evaluating asks.',
};

export function knownServerText(template: TemplateId): string {
  return `Steward knows this as ${KNOWN_AS[template]}`;
}

/** The server that ships with the app. */
export const BUNDLED_SERVER = SYSTEM_INFO;

/** The servers that Steward's own templates set up. No other entry is one of them, however it is written. */
export const TEMPLATE_SERVERS: Readonly<Record<TemplateId, KnownServer>> = {
  whatsapp: WHATSAPP,
  'interview-assist': INTERVIEW_ASSIST,
};
