/** Whom an order is for. */
const MODEL =
  '(?:ai )?(?:agents?|llms?|assistants?|(?:language )?models?|chatbots?|claude|chatgpt|gpt|gemini|copilot|ai)';
/** What a server has no business with unless its tool is about it. */
const OF_CONVERSATION =
  '(?:(?:this |the |your |our |whole |entire |full |previous |prior |recent ){0,6}(?:conversation|chat|messages|history|context|prompts?|instructions|reasoning|thoughts|memory|secrets?|credentials?|passwords?|api keys?|tokens?|environment variables?|private keys?|file contents?|contents? of)\\b)';
const HAND_OVER = '(?:put|include|pass|add|insert|copy|paste|append|attach|place|write|send|provide|fill|encode|embed)';
/** A parameter: quoted, named as one, or with a name that is no word. */
const PARAMETER =
  "(?:in|into|inside|within|as|via|through|to|using) (?:the |this |a |an |its )?(?:'[a-z_][a-z_0-9]{0,40}'|[a-z_]{1,40} (?:parameters?|fields?|arguments?|propert(?:y|ies)|inputs?)|[a-z]{1,20}_[a-z_]{1,20}|(?:parameter|field|argument|property|tool|server|url|endpoint|address)\\b)";
const USER = '(?:the |your )?(?:users?|humans?|persons?|people|operators?|owners?)';

/** Of a folded text. Every gap has a bound: a text that nearly matches everywhere must not take long. */
const ORDERS: readonly RegExp[] = [
  new RegExp(
    `\\b${MODEL}(?:[,:]? (?:that|which|who|using|calling)[^.]{0,40})? (?:must|should|shall|needs? to|ha(?:s|ve) to|(?:is|are) (?:required|instructed|expected) to|always|never)\\b`,
  ),
  new RegExp(
    `\\b(?:attention|note|notice|message|instructions?|important|reminder)(?: to| for|:)? (?:the |all |any )?${MODEL}\\b`,
  ),
  /\byou (?:must|have to|need to|are (?:required|obliged|instructed|ordered) to) (?:(?:always|first|also|never|not|immediately|then) )?(?:call|run|use|read|execute|invoke|send|follow|ask|do|obey|tell|fetch|open|visit|forward|start|begin|comply|write|delete|pass|put)\b/,
  /\byou are now\b/,
  /\b(?:before|prior to) (?:using|calling|running|invoking|doing|answering|any other (?:tools?|calls?|actions?|requests?|steps?|servers?))\b/,
  /\b(?:ignore|disregard|forget|override|bypass|overrule) (?:all|any|every|everything|previous|prior|earlier|above|other|those|these|your|what|the (?:user|previous|prior|above|other|system|rules|instructions))\b/,
  new RegExp(
    `\\b(?:do not|don't|never|must not|should not|shouldn't|without|avoid|refrain from) (?:ever |first )?(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclos|report|reporting|notify|notifying|let|letting|ask|asking|alert|alerting|warn|warning|explain|explaining|show|showing|bother)[^.]{0,30}\\b${USER}\\b`,
  ),
  /\b(?:do not|don't|never) (?:mention|reveal|disclose|tell)\b/,
  new RegExp(`\\b${HAND_OVER} [^.]{0,60}?${OF_CONVERSATION}[^.]{0,60}? ${PARAMETER}`),
  new RegExp(
    `\\b(?:reads?|open|fetch|load|get) [^.]{0,60}? (?:and|then) ${HAND_OVER} (?:its|their|the|it|them|everything|all)\\b`,
  ),
  /\b(?:once|when|after|as soon as) (?:you(?:'re| are| have)? )?(?:done|finished|finishing|completed?|completing|ready)\b[^.]{0,20}?,? (?:run|call|use|execute|invoke|send|read|also|always)\b/,
  /<\/?(?:important|system|instructions?|secret|hidden|admin|rules?|assistant|critical)\b/,
  /\[(?:system|inst|important|admin|hidden)\b/,
  /\b(?:system prompt|(?:new|real|hidden|secret|updated) instructions)\b/,
  /\balways (?:call|run|invoke|execute|send|forward|pass|start|begin|use (?:this|it|the [a-z_-]{1,40} (?:tool|server))|read (?:the|your|~|\/))\b/,
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
