import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { Gate } from '../policy/gate.ts';
import type { UnaskedChanges } from '../policy/unasked-changes.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { ToolContext } from '../tools/contract.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import type { Provenance } from './review/file-review.ts';
import type { AskedModels } from './sub-turn.ts';
import type { KeptImages } from './undo/call-changes.ts';

/** Shared by all calls. */
export type ToolEnvironment = Omit<
  ToolContext,
  | 'signal'
  | 'allowAccess'
  | 'allowAccesses'
  | 'isAccessAllowed'
  | 'conversationId'
  | 'callId'
  | 'marks'
  | 'mark'
  | 'links'
  | 'mailLinks'
  | 'beganAt'
  | 'exited'
  | 'card'
  | 'record'
  | 'findTools'
  | 'askModel'
  | 'onOutput'
  | 'commandEnvironment'
  | 'allowedBy'
  | 'unaskedChanges'
> & { readonly unaskedChanges: UnaskedChanges };

/** Shared by all conversations. */
export interface SharedCallServices {
  readonly gate: Gate;
  readonly environment: ToolEnvironment;
  /** Storage of file versions from before a call changed them. */
  readonly beforeImages: KeptImages;
  /** Keeps what is in the roots before a command runs there. */
  readonly checkpoints: Pick<Checkpoints, 'begin'>;
  /** Tracks files that were changed after text from outside was read. */
  readonly provenance: Provenance;
  /** How many characters of a result the model is given; 0: all. */
  readonly maxResultChars: number;
  /** Secrets that no result may contain. */
  readonly knownSecrets: KnownSecrets;
  /** The models that other models may ask, or undefined if there are none. */
  readonly askedModels: AskedModels | undefined;
}

export interface ToolCallServices extends SharedCallServices {
  /** The tools of this conversation. */
  readonly tools: Toolset;
}
