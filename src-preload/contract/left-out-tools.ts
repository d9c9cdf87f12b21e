/**
 * Why a part of a server's tool list is not used. `malformed` and `complex`: the reason completes "it is …".
 * `same_name`: an earlier tool has it. `object_name`: JavaScript's objects have it. `looks_built_in`: as it is offered,
 * it looks like the name of a tool of Steward's own. `bad_header`: its parameters cannot be sent as the headers that it asks for.
 * `for_app`: no model is meant to call it. `rest`: everything after the list's first `bytes`. `more`: further ones that
 * are not named. `malformed_item`, `rest_of`: of another list.
 */
export type LeftOutReason =
  | {
      readonly code:
        | 'no_name'
        | 'empty_name'
        | 'unseen_characters'
        | 'unseen_spaces'
        | 'object_name'
        | 'looks_built_in'
        | 'same_name'
        | 'bad_header'
        | 'for_app';
    }
  | { readonly code: 'long_name' | 'large'; readonly characters: number }
  | { readonly code: 'malformed' | 'complex'; readonly reason: string }
  | { readonly code: 'malformed_part'; readonly part: string }
  | { readonly code: 'rest'; readonly bytes: number }
  | { readonly code: 'more'; readonly count: number }
  | { readonly code: 'malformed_item'; readonly list: ContentListName }
  | { readonly code: 'rest_of'; readonly list: ContentListName; readonly count: number };

/** The lists of a server that are not of tools. */
export type ContentListName = 'resources' | 'resourceTemplates' | 'prompts';

const ITEMS = {
  resources: ['resource', 'resources'],
  resourceTemplates: ['resource template', 'resource templates'],
  prompts: ['prompt', 'prompts'],
} as const;

/** What a server lists and is not used, or only without a part of it (`malformed_part`). */
export interface LeftOutTool {
  /** The beginning of its name, with what cannot be seen made visible; empty if it has none. */
  readonly tool: string;
  readonly reason: LeftOutReason;
}

/** The reason for people, as part of a sentence. */
export function leftOutText({ tool, reason }: LeftOutTool): string {
  switch (reason.code) {
    case 'no_name':
      return 'a tool without a name';
    case 'empty_name':
      return 'a tool that has an empty name';
    case 'unseen_characters':
      return `a tool that has invisible or control characters in its name: ${tool}`;
    case 'unseen_spaces':
      return `a tool that has spaces in its name that are not seen: “${tool}”`;
    case 'object_name':
      return `a tool that has a name that every object has: ${tool}`;
    case 'looks_built_in':
      return `a tool that has a name that looks like one of Steward’s own tools: ${tool}`;
    case 'long_name':
      return `a tool that has a name of ${reason.characters.toLocaleString('en')} characters: ${tool}`;
    case 'large':
      return `a tool that has a definition of ${reason.characters.toLocaleString('en')} characters: ${tool}`;
    case 'complex':
      return `a tool that has a definition that is ${reason.reason}: ${tool}`;
    case 'malformed':
      return `a tool that is malformed (${reason.reason}): ${tool}`;
    case 'malformed_part':
      return `the ${reason.part} of the tool ${tool}, which is malformed`;
    case 'same_name':
      return `a tool that has the name of another one: ${tool}`;
    case 'bad_header':
      return `a tool that wants parameters as headers that cannot be sent: ${tool}`;
    case 'for_app':
      return `a tool that is only for the window of its app: ${tool}`;
    case 'rest':
      return `everything after the first ${reason.bytes.toLocaleString('en')} bytes of tools/list`;
    case 'malformed_item': {
      const what = `a ${ITEMS[reason.list][0]} that is malformed`;
      return tool === '' ? what : `${what}: ${tool}`;
    }
    case 'rest_of':
      return `all ${ITEMS[reason.list][1]} after the first ${reason.count.toLocaleString('en')}`;
    case 'more':
      return `${reason.count.toLocaleString('en')} more`;
  }
}
