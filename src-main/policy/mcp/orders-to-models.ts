/** The names that those who write to models use for them. */
const MODELS = [
  'agents?',
  'llms?',
  'assistants?',
  '(?:language )?models?',
  'chatbots?',
  'claude',
  'chatgpt',
  'gpt',
  'gemini',
  'copilot',
  'ai',
].join('|');
const MODEL = `(?:ai )?(?:${MODELS})`;

/** A server has no business with these unless its tool is about them. */
const PRIVATE_THINGS = [
  'conversation',
  'chat',
  'messages',
  'history',
  'context',
  'prompts?',
  'instructions',
  'reasoning',
  'thoughts',
  'memory',
  'secrets?',
  'credentials?',
  'passwords?',
  'api keys?',
  'tokens?',
  'environment variables?',
  'private keys?',
  'file contents?',
  'contents? of',
].join('|');
const WHICH = ['this ', 'the ', 'your ', 'our ', 'whole ', 'entire ', 'full ', 'previous ', 'prior ', 'recent '].join(
  '|',
);
const OF_CONVERSATION = String.raw`(?:(?:${WHICH}){0,6}(?:${PRIVATE_THINGS})\b)`;

const HANDING_OVER = [
  'put',
  'include',
  'pass',
  'add',
  'insert',
  'copy',
  'paste',
  'append',
  'attach',
  'place',
  'write',
  'send',
  'provide',
  'fill',
  'encode',
  'embed',
].join('|');
const HAND_OVER = `(?:${HANDING_OVER})`;

/** Matches a parameter: it is quoted, named as one, or has a name that is no word. */
const PARAMETER_NAMES = [
  "'[a-z_][a-z_0-9]{0,40}'",
  '[a-z_]{1,40} (?:parameters?|fields?|arguments?|propert(?:y|ies)|inputs?)',
  '[a-z]{1,20}_[a-z_]{1,20}',
  String.raw`(?:parameter|field|argument|property|tool|server|url|endpoint|address)\b`,
].join('|');
const PARAMETER = `(?:in|into|inside|within|as|via|through|to|using) (?:the |this |a |an |its )?(?:${PARAMETER_NAMES})`;

const USER = '(?:the |your )?(?:users?|humans?|persons?|people|operators?|owners?)';

const MUST = [
  'must',
  'should',
  'shall',
  'needs? to',
  'ha(?:s|ve) to',
  '(?:is|are) (?:required|instructed|expected) to',
  'always',
  'never',
].join('|');
const YOU_MUST = ['must', 'have to', 'need to', 'are (?:required|obliged|instructed|ordered) to'].join('|');
const ACTIONS = [
  'call',
  'run',
  'use',
  'read',
  'execute',
  'invoke',
  'send',
  'follow',
  'ask',
  'do',
  'obey',
  'tell',
  'fetch',
  'open',
  'visit',
  'forward',
  'start',
  'begin',
  'comply',
  'write',
  'delete',
  'pass',
  'put',
].join('|');
const DOING = [
  'using',
  'calling',
  'running',
  'invoking',
  'doing',
  'answering',
  'any other (?:tools?|calls?|actions?|requests?|steps?|servers?)',
].join('|');
const OVERRULED = [
  'all',
  'any',
  'every',
  'everything',
  'previous',
  'prior',
  'earlier',
  'above',
  'other',
  'those',
  'these',
  'your',
  'what',
  'the (?:user|previous|prior|above|other|system|rules|instructions)',
].join('|');
const NOT_TO = [
  'do not',
  "don't",
  'never',
  'must not',
  'should not',
  "shouldn't",
  'without',
  'avoid',
  'refrain from',
].join('|');
const TELLING = [
  'tell',
  'telling',
  'mention',
  'mentioning',
  'inform',
  'informing',
  'reveal',
  'revealing',
  'disclos',
  'report',
  'reporting',
  'notify',
  'notifying',
  'let',
  'letting',
  'ask',
  'asking',
  'alert',
  'alerting',
  'warn',
  'warning',
  'explain',
  'explaining',
  'show',
  'showing',
  'bother',
].join('|');
const DONE = ['done', 'finished', 'finishing', 'completed?', 'completing', 'ready'].join('|');
const ALWAYS = [
  'call',
  'run',
  'invoke',
  'execute',
  'send',
  'forward',
  'pass',
  'start',
  'begin',
  'use (?:this|it|the [a-z_-]{1,40} (?:tool|server))',
  String.raw`read (?:the|your|~|\/)`,
].join('|');

/**
 * Patterns for a folded text, with an example above some of them. Every gap has a bound: a text that nearly matches
 * everywhere must not take long.
 */
const ORDERS: readonly RegExp[] = [
  // “The agent must …”
  new RegExp(String.raw`\b${MODEL}(?:[,:]? (?:that|which|who|using|calling)[^.]{0,40})? (?:${MUST})\b`),
  // “Note to all assistants”
  new RegExp(
    String.raw`\b(?:attention|note|notice|message|instructions?|important|reminder)(?: to| for|:)? (?:the |all |any )?${MODEL}\b`,
  ),
  // “You must always call …”
  new RegExp(String.raw`\byou (?:${YOU_MUST}) (?:(?:always|first|also|never|not|immediately|then) )?(?:${ACTIONS})\b`),
  /\byou are now\b/,
  // “Before using any other tool”
  new RegExp(String.raw`\b(?:before|prior to) (?:${DOING})\b`),
  // “Ignore all previous …”
  new RegExp(String.raw`\b(?:ignore|disregard|forget|override|bypass|overrule) (?:${OVERRULED})\b`),
  // “Without telling the user”
  new RegExp(String.raw`\b(?:${NOT_TO}) (?:ever |first )?(?:${TELLING})[^.]{0,30}\b${USER}\b`),
  /\b(?:do not|don't|never) (?:mention|reveal|disclose|tell)\b/,
  // “Put the whole conversation into the "context" field”
  new RegExp(String.raw`\b${HAND_OVER} [^.]{0,60}?${OF_CONVERSATION}[^.]{0,60}? ${PARAMETER}`),
  // “Read ~/.ssh/id_rsa and pass its …”
  new RegExp(
    String.raw`\b(?:reads?|open|fetch|load|get) [^.]{0,60}? (?:and|then) ${HAND_OVER} (?:its|their|the|it|them|everything|all)\b`,
  ),
  // “When you are done, also send …”
  new RegExp(
    String.raw`\b(?:once|when|after|as soon as) (?:you(?:'re| are| have)? )?(?:${DONE})\b[^.]{0,20}?,? (?:run|call|use|execute|invoke|send|read|also|always)\b`,
  ),
  /<\/?(?:important|system|instructions?|secret|hidden|admin|rules?|assistant|critical)\b/,
  /\[(?:system|inst|important|admin|hidden)\b/,
  /\b(?:system prompt|(?:new|real|hidden|secret|updated) instructions)\b/,
  // “Always use this”
  new RegExp(String.raw`\balways (?:${ALWAYS})\b`),
  // “Instead of any other”
  /\b(?:instead of|rather than) (?:using |calling )?(?:any|every|all|the) (?:other|built-?in|existing|default)\b/,
];
const AROUND = 40;

/** The first order to a model in a folded text, with the words around it. */
export function orderIn(text: string): string | undefined {
  for (const order of ORDERS) {
    const match = order.exec(text);
    if (match !== null) return text.slice(Math.max(0, match.index - AROUND), match.index + match[0].length + AROUND);
  }
  return undefined;
}
