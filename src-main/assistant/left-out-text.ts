import { grouped } from '../base/text.ts';
import type { ModelStreamEvent } from '../models/provider.ts';

export type LeftOut = Extract<ModelStreamEvent, { type: 'left_out' }>;

/** Names that are written out. */
const SHOWN = 20;

/** `names` is what the notice is about; it is given again when they change. */
export interface LeftOutNotice {
  readonly code: 'tools_refused' | 'no_tool_support' | 'files_refused';
  readonly message: string;
  readonly names: readonly string[];
}

export function leftOutNotice(event: LeftOut, model: string): LeftOutNotice {
  const { reason, names } = event;
  if (reason === 'refused_files') return filesNotice(names, event.said);
  if (reason === 'no_tool_support') {
    return {
      code: 'no_tool_support',
      message: `${model} can't use tools, so it is given none and can only write. To have something done, choose a model that can.`,
      names: [model],
    };
  }
  const list = listOf(names);
  const [them, their] = names.length === 1 ? ['it', 'its'] : ['them', 'their'];
  return {
    code: 'tools_refused',
    message: `The model's service rejects the definition of ${list}, so the model is not given ${them}. Whoever makes ${them} can fix ${their} input schema.`,
    names,
  };
}

function filesNotice(names: readonly string[], said: string): LeftOutNotice {
  const it = names.length === 1 ? 'it' : 'them';
  const message = `The model's service refuses ${listOf(names)}, so the conversation goes on without ${it}; the model is told what is missing. ${said}`;
  return { code: 'files_refused', message, names };
}

function listOf(names: readonly string[]): string {
  const others = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/**
 * Tells people that more tools are switched on than the model is given. `given` is how many it is given, and `canFind`
 * says that `find_tools` is switched on.
 */
export function leftOutText({ all, given, canFind }: { all: number; given: number; canFind: boolean }): string {
  const amounts = `${grouped(all)} tools are switched on. The model is given ${given} of them`;
  return canFind
    ? `${amounts}: the basic ones and those that it most likely needs. It searches for the others with find_tools when it needs them.`
    : `${amounts} and cannot reach the others, because find_tools is switched off. Switch it on (/tools enable find_tools), or switch off what you do not need (/tools disable NAME …).`;
}
