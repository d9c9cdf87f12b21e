/** The doctor's findings about one MCP server. Texts: `server-doctor-text.ts`. Contains no secrets. */
export interface DoctorReport {
  readonly server: string;
  /** The steps in order, numbered from 1. */
  readonly steps: readonly DoctorStep[];
}

export interface DoctorStep {
  readonly id:
    | 'entry'
    | 'secrets'
    | 'search_path'
    | 'program'
    | 'directory'
    | 'runtime'
    | 'address'
    | 'lookup'
    | 'port'
    | 'tls'
    | 'start'
    | 'messages';
  /** A `skipped` step was not run; the facts explain why. */
  readonly outcome: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly facts: readonly DoctorFact[];
  readonly advice: readonly DoctorAdvice[];
}

export type RuntimeName = 'node' | 'npx' | 'uv' | 'python' | 'dotnet' | 'docker' | 'go';

export type DoctorFact =
  /** A field of the entry in config.json. */
  | { readonly code: 'field'; readonly name: string; readonly value: string }
  | { readonly code: 'no_entry' | 'not_configured' | 'not_confirmed' | 'disabled' | 'bundled' }
  /** An earlier step failed. */
  | { readonly code: 'came_before'; readonly step: DoctorStep['id'] }
  | { readonly code: 'keychain_entry'; readonly name: string; readonly isSet: boolean }
  | {
      readonly code: 'search_path';
      readonly source: 'environment' | 'login-shell' | 'entry';
      readonly folders: readonly string[];
    }
  | { readonly code: 'program'; readonly path: string }
  | { readonly code: 'program_missing'; readonly command: string }
  | { readonly code: 'directory'; readonly path: string; readonly exists: boolean }
  | { readonly code: 'runtime'; readonly runtime: RuntimeName; readonly version: string; readonly path: string }
  | { readonly code: 'runtime_missing'; readonly runtime: RuntimeName }
  | { readonly code: 'runtime_failed'; readonly runtime: RuntimeName; readonly output: string }
  /** What the URL alone says, before any lookup. */
  | { readonly code: 'address'; readonly host: string; readonly port: number; readonly isPrivate: boolean }
  | { readonly code: 'url_refused'; readonly reason: string }
  | { readonly code: 'addresses'; readonly addresses: readonly string[] }
  | { readonly code: 'became_private'; readonly addresses: readonly string[] }
  /** `error` is the system's code (`ENOTFOUND`, `ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
  | { readonly code: 'failed'; readonly error: string }
  | { readonly code: 'connected'; readonly address: string; readonly ms: number }
  | { readonly code: 'certificate'; readonly issuer: string; readonly validTo: string; readonly protocol: string }
  | {
      readonly code: 'ready';
      /** The server was already running. */
      readonly wasRunning: boolean;
      readonly pid?: number;
      readonly protocolVersion?: string;
      readonly era?: 'legacy' | 'modern';
      readonly tools: number;
    }
  | { readonly code: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly code: 'stderr'; readonly lines: readonly string[] }
  | { readonly code: 'stray'; readonly count: number; readonly lines: readonly string[] }
  | { readonly code: 'timed_out'; readonly seconds: number }
  | { readonly code: 'http_status'; readonly status: number; readonly body: string }
  | { readonly code: 'sign_in' }
  /** The server connected. The next fact says why it did not list its tools. */
  | { readonly code: 'listing_failed' }
  | { readonly code: 'said'; readonly text: string }
  /** The first message that failed. An `unanswered` one is a request without a response. */
  | {
      readonly code: 'message';
      readonly kind: 'unanswered' | 'error';
      readonly direction: 'sent' | 'received';
      readonly method: string | null;
      readonly text: string;
    }
  | { readonly code: 'messages'; readonly sent: number; readonly received: number };

export type DoctorAdvice =
  | { readonly code: 'confirm' | 'enable' | 'edit' | 'sign_in' | 'forbidden' | 'check_url' | 'private_address' }
  | { readonly code: 'check_program' | 'check_connection' | 'not_mcp' | 'try_later' }
  | { readonly code: 'set_secret'; readonly name: string }
  | { readonly code: 'install'; readonly program: RuntimeName }
  | { readonly code: 'full_path'; readonly command: string }
  | { readonly code: 'other_node'; readonly version: string | null }
  | { readonly code: 'start_docker' | 'dotnet_build' | 'keep_stdout_clean' | 'read_stderr' | 'slow_start' }
  | { readonly code: 'missing_module' | 'listing_failed' }
  /** `signal` is what ended the process (`SIGKILL`, `SIGSEGV`). */
  | { readonly code: 'crashed' | 'ended_from_outside'; readonly signal: string }
  | { readonly code: 'closed_port'; readonly host: string; readonly port: number; readonly isOwnMachine: boolean }
  | { readonly code: 'host_unknown'; readonly host: string }
  | { readonly code: 'certificate'; readonly error: string }
  | { readonly code: 'plain_http' }
  /** `use` is the transport to write into the entry. */
  | { readonly code: 'other_transport'; readonly use: 'http' | 'sse' };
