import { programAsSource, programNamed } from '../../../src-preload/contract/client-reason.ts';
import { descriptionsOfClient } from '../../../src-preload/contract/mark-text.ts';
import { marksOfServer } from '../mark-sources.ts';
import type { TouchedKind } from './access-kind.ts';
import { MAX_NAME_LENGTH, shownName } from './title-words.ts';
import { asks, has, type JudgeInput, type Verdict } from './verdict.ts';

/**
 * A call of a tool that a client of this conversation registered: a program that was paired, or one that runs `ask`.
 * Source: design section 4 ("Client tools").
 */
export interface ClientAccess {
  readonly kind: 'client';
  /** Only the client knows what its tool really does. With `requiresPermission` it counts as `execute`. */
  readonly class: 'write';
  /** The client wants the user to be asked each time. */
  readonly requiresPermission: boolean;
  /** The name that the client gives itself. Untrusted. */
  readonly client: string;
  /** The pairing of a program at the socket, so that an answer is for this pairing alone. */
  readonly pairing?: string;
  /** The tool's name as the client gives it. Untrusted. */
  readonly tool: string;
}

export const clientKind: TouchedKind<ClientAccess> = {
  effectiveClass: ({ requiresPermission }) => (requiresPermission ? 'execute' : 'write'),
  judge,
  isCovered: () => false,
  rules: () => [],
  leastFlag: () => 'all',
  remembered: (access, _call, { code }) => (code === 'client_untrusted' ? { services: [serviceOfClient(access)] } : {}),
  marks: ({ client, tool }) => marksOfServer({ source: `${tool} of ${programAsSource(client)}`, whose: 'outside' }),
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => false,
  title: clientQuestion,
  nameOf: ({ tool }) => tool,
  describe: ({ client, tool }) => `use ${tool} of ${programNamed(client)}\nNothing says what this tool does.`,
  shownClass: ({ requiresPermission }) => (requiresPermission ? 'execute' : 'unreviewed'),
};

/** Source: design section 4 ("Client tools"). No rule covers it: a program can give itself any name. */
function judge(input: JudgeInput, access: ClientAccess): Verdict {
  const { client, requiresPermission } = access;
  if (requiresPermission) return asks({ code: 'client_permission', client }, 'execute');
  // A client's tools are no less trusted than it: what it says about them is no reason to ask about them.
  const beside = input.marks.filter(({ source }) => source !== descriptionsOfClient(client));
  if (!has({ marks: beside }, 'untrusted')) return { kind: 'allow', reason: { code: 'client_tool', client } };
  return input.allowedServices.has(serviceOfClient(access))
    ? { kind: 'allow', reason: { code: 'client_tool_allowed', client } }
    : asks({ code: 'client_untrusted', client }, 'write');
}

/** The tool's key among the services that were allowed in a conversation. */
export function serviceOfClient({ client, pairing, tool }: Pick<ClientAccess, 'client' | 'pairing' | 'tool'>): string {
  return `client ${JSON.stringify([pairing ?? null, client, tool])}`;
}

/** The client's name is always in quotes, because a program can give itself any name. */
function clientQuestion(calls: readonly ClientAccess[]): string {
  const names = calls.map(({ client, tool }) => `${shownName(tool)} of “${client}”`);
  const [name = ''] = names;
  if (new Set(names).size > 1) return `Use ${names.length} tools of programs?`;
  return name.length > MAX_NAME_LENGTH ? 'Use a tool of a program?' : `Use ${name}?`;
}
