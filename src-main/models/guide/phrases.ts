import { appendIntent, startsContent, writeIntent } from './file-phrases.ts';
import { call, type Intent, withoutManners } from './intent.ts';
import { listIntent, readIntents } from './reading-phrases.ts';
import { runIntent, startsVerbatimLine } from './run-phrases.ts';
import { searchIntent } from './search-phrases.ts';

export { type Intent, startsContent, startsVerbatimLine };

const MAX_PHRASE_CHARACTERS = 2_000;

/** Returns the intents of one request; there are none if it is not understood. */
export function intentsOf(request: string): readonly Intent[] {
  const whole = understood(request);
  if (whole.length > 0) return whole;
  if (request.length > MAX_PHRASE_CHARACTERS) return [];
  // "What time is it and what date": both sides must make sense, otherwise the "and" belongs to a name or a text.
  const parts = request.split(/\s*(?:,|\band\b|&)\s*/i).filter((part) => part !== '');
  if (parts.length < 2) return [];
  const intents = parts.map(understood);
  return intents.every((found) => found.length > 0) ? intents.flat() : [];
}

/**
 * Order matters: commands and texts first, because they may contain anything; reading last, because it accepts any
 * name.
 */
function understood(request: string): readonly Intent[] {
  const verbatim = runIntent(request) ?? writeIntent(request) ?? appendIntent(request);
  if (verbatim) return [verbatim];
  // No one phrases a request at this length; a pasted text would only cost time in the patterns below.
  if (request.length > MAX_PHRASE_CHARACTERS) return [];
  const plain = withoutManners(request);
  if (plain === '') return talkIntents(request);
  const intent = clockIntents(plain) ?? one(systemIntent(plain)) ?? one(fetchIntent(plain));
  return intent ?? one(listIntent(plain)) ?? one(searchIntent(plain)) ?? readIntents(plain) ?? talkIntents(plain);
}

function one(intent: Intent | undefined): readonly Intent[] | undefined {
  return intent && [intent];
}

const GET_TIME = call('get_time', {});
const GET_DATE = call('get_date', {});
const ASK = "(?:(?:do you know |tell me |show me |give me |get |check )?(?:what(?:'s| is| are)? )?)?";
const TIME = new RegExp(`^${ASK}(?:the )?(?:current )?time(?: is it| it is| of day)?(?: right now| now)?$`, 'i');
const DATE = new RegExp(
  `^(?:${ASK}(?:the )?(?:current |today'?s? )?(?:date|day)(?: is it| it is| is today| of today)?(?: today)?|what day is today)$`,
  'i',
);
const BOTH = new RegExp(
  `^${ASK}(?:the )?(?:current )?(?:date and time|time and date)(?: is it)?(?: right now| now)?$`,
  'i',
);

function clockIntents(plain: string): readonly Intent[] | undefined {
  if (BOTH.test(plain)) return [GET_DATE, GET_TIME];
  if (TIME.test(plain)) return [GET_TIME];
  return DATE.test(plain) ? [GET_DATE] : undefined;
}

const SYSTEM =
  /^(?:(?:show|get|give|tell|display|what(?:'s| is))(?: me)?(?: about)?\s+)?(?:the |my |this )?(?:system[- _]?info(?:rmation)?|system details|computer info(?:rmation)?|machine info(?:rmation)?|(?:about )?(?:this |my )(?:system|computer|machine))$/i;

function systemIntent(plain: string): Intent | undefined {
  if (!SYSTEM.test(plain)) return undefined;
  return call('system-info__system_info', {}, call('system_info', {}));
}

const URL_VERB =
  "(?:fetch|get|download|visit|browse|go to|open|load|read|show(?: me)?|look at|what(?:'s| is) (?:in|at|on))";
const WITH_SCHEME = new RegExp(
  `^(?:${URL_VERB}\\s+)?(?:the )?(?:page |url |site |website |web page )?(?:at )?<?([a-z][a-z0-9+.-]*://[^\\s>]+)>?$`,
  'i',
);
const BARE_HOST =
  /^(?:fetch|visit|browse|go to)\s+(?:the )?(?:page |url |site |website |web page )?(?:at )?((?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?(?:\/\S*)?)$/i;

function fetchIntent(plain: string): Intent | undefined {
  const url = WITH_SCHEME.exec(plain)?.[1];
  if (url !== undefined) return call('web_fetch', { url: url.replace(/(?<![.,;!])[.,;!]+$/, '') });
  const host = BARE_HOST.exec(plain)?.[1];
  return host === undefined ? undefined : call('web_fetch', { url: `https://${host}` });
}

const TALK = [
  [
    'help',
    /^(?:help(?: me)?|\?+|what can (?:you|i) (?:do|say|ask)|what do you (?:do|know|understand)|who are you|what are you|commands|usage|are you an ai|(?:how (?:do|can) i )?(?:connect|use|set ?up|add) (?:to )?(?:claude|a (?:real )?model|an ai|a key|an? (?:anthropic|api) key)|how do(?:es)? (?:this|it|you) work)$/i,
  ],
  [
    'thanks',
    /^(?:thanks?(?: you)?(?: (?:very|so) much| a lot)?|thx|ty|cheers|great|perfect|nice|well done|good job)$/i,
  ],
  ['goodbye', /^(?:(?:good)?bye(?: bye)?|see you(?: later| soon)?|good night|exit|quit|farewell|ciao)$/i],
  [
    'greeting',
    /^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|howdy|hello there|hi there|how are you|what'?s up)$/i,
  ],
] as const;

function talkIntents(plain: string): readonly Intent[] {
  const words = plain.trim().replace(/(?:[\s,]+(?:steward|guide))?[\s,.!?]*$/i, '') || plain.trim();
  const found = TALK.find(([, pattern]) => pattern.test(words));
  return found ? [{ kind: 'talk', topic: found[0] }] : [];
}
