import { isInside } from '../../../src-main/base/paths.ts';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../../../src-main/policy/consent.ts';
import type { PolicyInput } from '../../../src-main/policy/decide.ts';
import { Gate, type GateOptions } from '../../../src-main/policy/gate.ts';
import type { GateCall } from '../../../src-main/policy/gate-call.ts';
import type { SeenLinks } from '../../../src-main/policy/known-addresses.ts';
import type { HeldPermissions } from '../../../src-main/policy/mcp/held-permissions.ts';
import type { Confirmations } from '../../../src-main/policy/permission-grants.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import type { Rule, RuleDraft, RuleStore } from '../../../src-main/policy/rules.ts';
import { nothingUnreviewed } from '../../fixtures/no-provenance.ts';

/** Implementations of the policy's ports that keep everything in memory. */
export class MemoryRules implements RuleStore {
  readonly kept: Rule[] = [];

  list(conversationId: string | null): readonly Rule[] {
    return this.kept.filter((rule) => rule.conversationId === null || rule.conversationId === conversationId);
  }

  add(draft: RuleDraft, conversationId: string | null): Rule {
    const rule: Rule = {
      ...draft,
      id: `rule-${this.kept.length + 1}`,
      conversationId,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUsedAt: null,
      uses: 0,
    };
    this.kept.push(rule);
    return rule;
  }

  markUsed(id: string): void {
    const at = this.kept.findIndex((rule) => rule.id === id);
    const rule = this.kept[at];
    if (rule !== undefined) this.kept[at] = { ...rule, uses: rule.uses + 1, lastUsedAt: '2026-01-01T00:00:00.000Z' };
  }

  revoke(id: string): boolean {
    const at = this.kept.findIndex((rule) => rule.id === id);
    if (at < 0) return false;
    this.kept.splice(at, 1);
    return true;
  }
}

export class MemoryConfirmations implements Confirmations {
  readonly hashes = new Map<string, string>();

  get(key: string): string | undefined {
    return this.hashes.get(key);
  }

  set(key: string, hash: string): void {
    this.hashes.set(key, hash);
  }

  remove(key: string): void {
    this.hashes.delete(key);
  }

  keys(): readonly string[] {
    return [...this.hashes.keys()];
  }
}

/** Links that were seen, compared as they are written, and how many were followed. */
export class FakeLinks implements SeenLinks {
  readonly #seen: ReadonlySet<string>;
  readonly #followed: string[];

  constructor(seen: readonly string[] = [], followed: readonly string[] = []) {
    this.#seen = new Set(seen);
    this.#followed = [...followed];
  }

  has(url: string): boolean {
    return this.#seen.has(url);
  }

  get followed(): number {
    return this.#followed.length;
  }

  followedOn(domain: string): number {
    return this.#followed.filter((each) => each === domain).length;
  }

  follow(domain: string): void {
    this.#followed.push(domain);
  }
}

/** No server was allowed anything. */
export const nothingHeld: HeldPermissions = { of: () => [], end: async () => [] };

type Answering = (request: ConsentRequest, asked: number) => ConsentAnswer | Promise<ConsentAnswer>;

/** A user who answers as the test says; what they were asked is kept. */
export class Person implements ConsentPort {
  readonly asked: ConsentRequest[] = [];
  readonly asksTogether: boolean;
  readonly #answering: Answering;

  constructor(answering: Answering, { asksTogether = false } = {}) {
    this.#answering = answering;
    this.asksTogether = asksTogether;
  }

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer> {
    this.asked.push(request);
    const answer = this.#answering(request, this.asked.length);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      Promise.resolve(answer).then(resolve, reject);
    });
  }
}

export const yesOnce: ConsentAnswer = { answer: 'allow', scope: 'once', by: 'user' };
export const no: ConsentAnswer = { answer: 'deny', by: 'user' };
export const never = new AbortController().signal;

export const writeTo = (path: string): CallEffects => ({
  access: [{ class: 'write', kind: 'file', path, outsideRoots: false }],
});
export const readOf = (path: string): CallEffects => ({
  access: [{ class: 'read', kind: 'file', path, outsideRoots: false }],
});
export const shellLine = (line: string): CallEffects => ({
  access: [{ kind: 'command', class: 'execute', command: { kind: 'shell', line }, directory: '/w' }],
});
export const program = (...argv: string[]): CallEffects => ({
  access: [{ kind: 'command', class: 'execute', command: { kind: 'argv', argv }, directory: '/w' }],
});
export function request(
  url: string,
  method = 'GET',
  accessClass: 'network' | 'network-private' = 'network',
): CallEffects {
  return { access: [{ kind: 'request', class: accessClass, url, host: new URL(url).hostname, method }] };
}

export function policyInput(effects: CallEffects, more: Partial<PolicyInput> = {}): PolicyInput {
  return {
    tool: 'some_tool',
    declaredClass: effects.access[0]?.class ?? 'read',
    asksModel: false,
    effects,
    rules: [],
    marks: [],
    outside: undefined,
    isGrave: false,
    conversationId: 'conversation-1',
    namedHosts: new Set(),
    links: new FakeLinks(),
    isOfSeenLink: false,
    allowedServices: new Set(),
    registrableDomain: (host) => host.split('.').slice(-2).join('.'),
    openedSecretFiles: new Set(),
    endpointOrigins: [],
    realWorkspace: '/w',
    realPath: (path) => path,
    unreviewedFiles: () => [],
    allowPrivateNetwork: 'ask',
    ...more,
  };
}

export function gateCall(assessed: CallEffects, more: Partial<GateCall<CallEffects>> = {}): GateCall<CallEffects> {
  return {
    tool: 'some_tool',
    declaredClass: assessed.access[0]?.class ?? 'read',
    asksModel: false,
    input: { some: 'argument' },
    assessed,
    reassess: async () => assessed,
    conversationId: 'conversation-1',
    marks: [],
    namedHosts: new Set(),
    links: new FakeLinks(),
    isOfSeenLink: false,
    ...more,
  };
}

export function gateWith(consent: ConsentPort, more: Partial<GateOptions> = {}): { gate: Gate; rules: MemoryRules } {
  const rules = new MemoryRules();
  const questions = new QuestionQueues();
  const { realWorkspace = '/w' } = more;
  const isInsideRoots = (path: string) => isInside(realWorkspace, path);
  const places = {
    realWorkspace,
    isInsideRoots,
    home: '/home/ada',
    endpointOrigins: () => [],
    providerOrigins: () => [],
  };
  const options = { rules, consent, questions, ...places, unreviewedFiles: nothingUnreviewed };
  return { gate: new Gate({ ...options, allowPrivateNetwork: 'ask', ...more }), rules };
}

export const untrusted = { kind: 'untrusted', source: 'https://evil.example/page' } as const;
export const privateMark = { kind: 'private', source: 'file diary.md' } as const;
export const secretMark = { kind: 'secret', source: 'file .env' } as const;

/** Of a request that brings about nothing to warn of, with no word of the model. */
export const nothingSaid = { consequences: [], commandSteps: [], defaulted: [], said: '' } as const;
