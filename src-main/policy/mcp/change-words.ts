import { words } from '../../base/text.ts';

/** The words behind one of these name what is read: `list_comments`, `getTransitions`. */
const READING = words(
  'get list read search find fetch show view describe query count lookup look check browse retrieve inspect explain',
);

/** These words are verbs wherever they stand. */
const ALWAYS_VERBS = words(
  `create update delete remove write send destroy drop purge erase wipe kill execute exec eval insert replace overwrite modify
   upload install uninstall transfer pay buy purchase refund rename notify publish submit revoke reset restart reboot shutdown
   terminate enable disable grant unsubscribe`,
);

/** These words are verbs, or name what a reading tool reads. */
const VERBS_OR_NOUNS = words(
  `set put post patch add append edit change move copy mail email message forward reply comment react vote resolve close reopen reject
   approve accept decline confirm cancel book reserve schedule order trash archive restore transition migrate rotate print log dispatch
   sign checkout check-in play pause stop start run sql shell command script spawn launch open invoke call trigger apply commit push merge
   rebase revert fork clone deploy release build import export sync save store upsert attach detach assign unassign invite share unshare
   follow unfollow like label tag pin lock unlock mute block ban join leave subscribe register login logout authorize connect disconnect
   click type press fill drag drop hover scroll navigate select evaluate draw render generate convert compress extract empty clear flush
   clean truncate alter swap mint burn trade withdraw deposit donate tweet toggle switch turn dim record mark flag star emit broadcast
   enqueue queue provision scale rollback promote demote transcribe interact give handle resize emulate feedback new download`,
);

/** What follows one of these is a second verb: `get_or_create`. */
const CONNECTIVES = words('or and then');

/**
 * Whether the name of a tool sounds as if it changed something, in `snake_case`, `kebab-case` and `camelCase`, also in
 * the middle. If it does, a server's claim that the tool only reads is not enough.
 */
export function soundsLikeChange(name: string): boolean {
  const parts = wordsIn(name);
  // The name of a service may stand before the reading verb: `slack_get_replies`.
  const reading = parts.findIndex((part) => READING.has(part));
  return parts.some((part, index) => {
    const isSecondVerb = index > 0 && CONNECTIVES.has(parts[index - 1] ?? '');
    if (reading === -1 || index < reading || isSecondVerb)
      return forms(part).some((form) => ALWAYS_VERBS.has(form) || VERBS_OR_NOUNS.has(form));
    return ALWAYS_VERBS.has(part);
  });
}

function wordsIn(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
}

/** The forms from which a word may come: `update` for `updates`, `updated` and `updating`, `stop` for `stopped`. */
function forms(word: string): readonly string[] {
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  const single = stem.replace(/(.)\1$/, '$1');
  return [word, stem, `${stem}e`, single, word.replace(/ie[sd]$/, 'y')];
}
