import type { ModelCapabilities } from '../provider.ts';
import { count, list, record, text } from '../transport/answer-fields.ts';

/** What Ollama says of a model (`POST /api/show`), as far as a request depends on it. */
export interface ModelFacts {
  /** `tools`, `vision`, `thinking`, `completion`, … It is absent for an Ollama before 0.6.4, which does not say. */
  readonly capabilities: ReadonlySet<string> | undefined;
  /** The largest context that the model was made for, in tokens. */
  readonly contextLength: number | undefined;
  /** `num_ctx` of its Modelfile, which its owner set. */
  readonly ownContext: number | undefined;
  /** The model's family, such as `llama` or `gptoss`. */
  readonly family: string | undefined;
  /** Whether it runs at ollama.com, where its context costs no memory of this machine. */
  readonly isRemote: boolean;
}

export const NOTHING_KNOWN: ModelFacts = {
  capabilities: undefined,
  contextLength: undefined,
  ownContext: undefined,
  family: undefined,
  isRemote: false,
};

/** Reads an answer of `/api/show`; fields of other types count as absent. Source: https://docs.ollama.com/api/show */
export function factsOf(shown: unknown): ModelFacts {
  const { capabilities, model_info, parameters, details, remote_host } = record(shown);
  const info = record(model_info);
  const architecture = text(info['general.architecture']);
  const own = /^num_ctx\s+(\d+)\s*$/m.exec(text(parameters) ?? '')?.[1];
  return {
    capabilities: Array.isArray(capabilities)
      ? new Set(list(capabilities).flatMap((each) => text(each) ?? []))
      : undefined,
    contextLength: architecture === undefined ? undefined : count(info[`${architecture}.context_length`]),
    ownContext: own === undefined ? undefined : Number(own),
    family: text(record(details).family),
    isRemote: text(remote_host) !== undefined,
  };
}

/**
 * The context window where nobody set one. Ollama's own default (4,096 on most machines) is smaller than our list of
 * tools, and it cuts the beginning off without a word. This is enough for the list and some files, and fits beside a
 * model of 8 billion parameters in 16 GB.
 */
export const DEFAULT_CONTEXT_TOKENS = 32_768;

/** Returns the context window that a model is started with, in tokens. `wanted` is the user's setting. */
export function contextTokensOf(
  { contextLength, ownContext, isRemote }: ModelFacts,
  wanted: number | undefined,
): number {
  const most = contextLength ?? Number.POSITIVE_INFINITY;
  if (isRemote && wanted === undefined && contextLength !== undefined) return contextLength;
  return Math.min(wanted ?? ownContext ?? DEFAULT_CONTEXT_TOKENS, most);
}

/**
 * The capabilities that are tried with a model that was not asked about yet, or if Ollama does not say. If requests had
 * no tools, nobody would ever find out.
 */
const ASSUMED: ModelCapabilities = {
  isAssumed: true,
  tools: true,
  images: true,
  audio: false,
  documents: false,
  deferredTools: false,
  efforts: [],
};

export function ollamaCapabilities({ capabilities, family }: ModelFacts): ModelCapabilities {
  if (capabilities === undefined) return ASSUMED;
  const has = (what: string) => capabilities.has(what);
  const whileThinking = family === 'gptoss' ? (['low', 'medium', 'high'] as const) : (['none', 'high'] as const);
  return {
    tools: has('tools'),
    images: has('vision'),
    audio: false,
    documents: false,
    deferredTools: false,
    efforts: has('thinking') ? whileThinking : [],
  };
}
