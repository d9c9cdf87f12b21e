/**
 * What people call things, and what tools call them. A search is completed by these words, at a lower weight: what a
 * user calls `add`, a server calls `create`. General words of what tools do and are about; nothing here is about one
 * server.
 */

const words = (line: string): readonly string[] => line.split(' ');

/** Words that mean much the same, each for all others of its line. */
export const FAMILIES: readonly (readonly string[])[] = [
  // What is done.
  'create add new make open insert book schedule',
  'delete remove rm drop destroy erase clear discard',
  'update edit change modify set rename correct adjust patch',
  'list ls all browse',
  'get fetch read retrieve show details view',
  'search find query look lookup',
  'send post write submit push',
  'cancel stop abort end terminate unsubscribe kill',
  'start run launch execute trigger play',
  'restart reboot rerun retry',
  'move transition reschedule drag',
  'copy duplicate clone',
  'assign responsible owner assignee',
  'append add attach',
  'mute silence',
  'answer reply respond response',
  'undo revert rollback restore rollout',
  'disable off deactivate toggle',
  'enable on activate toggle',
  'download export save',
  'upload import attach',
  'convert transform translate format',
  'compare diff difference changes',
  'summarize summary overview digest',
  'draw plot generate render chart',
  'remember store save memory note observation',
  'share permission access invite collaborator',
  'click press tap',
  'type fill enter input',
  'navigate visit goto open url',
  'calculate compute evaluate sum',
  'merge join combine',
  'count number amount many',
  'verify check validate lint',
  'hide archive',
  'approve accept confirm',
  // What it is about.
  'mail email message inbox',
  'message text dm chat',
  'chat slack channel conversation',
  'issue ticket bug',
  'todo task reminder',
  'task card',
  'folder directory',
  'file document',
  'page document note wiki',
  'photo picture image screenshot',
  'meeting event appointment calendar agenda',
  'free availability busy freebusy available',
  'customer client',
  'person people user member colleague employee',
  'vacation holiday leave absence',
  'price cost spend spent expense',
  'now current today',
  'place location poi spot venue',
  'nearby near local around close',
  'restaurant cafe hotel shop place poi',
  'high height elevation altitude',
  'far distance long length',
  'route direction way path navigation',
  'coordinates latitude longitude geocode',
  'weather forecast temperature rain',
  'hash checksum digest sha sha1 sha256 sha512 md5',
  'error exception failure problem crash',
  'fail failure failed failing broken',
  'build pipeline job ci workflow',
  'repo repository project',
  'pr pull',
  'mr merge',
  'pod container deployment',
  'cluster kubernetes kubectl k8s',
  'website site web webpage page',
  'internet web online',
  'video movie clip youtube',
  'transcript subtitle caption',
  'music song track playlist',
  'chart graph diagram',
  'row record entry item',
  'column field',
  'document record',
  'table collection dataset',
  'sql query statement',
  'size space usage storage disk large big',
  'process program task',
  'docs documentation reference manual guide',
  'library package framework',
  'time clock timezone hour',
  'whoami me self viewer profile account',
  'comment remark reply',
  'thumb reaction emoji react like',
  'money payment charge balance',
  'bill invoice receipt',
  'order purchase buy',
  'secret password credential token key',
  'log output console stdout',
  'variable setting config configuration',
  'flag feature toggle',
  'language locale translation',
].map(words);

/** Words that tell what is probably meant, not the other way round. */
export const HINTS: readonly (readonly [words: readonly string[], hinted: readonly string[]])[] = [
  [
    'tomorrow today tonight yesterday week weekend monday tuesday wednesday thursday friday saturday sunday morning afternoon evening',
    'calendar date due day',
  ],
  ['pod node deployment namespace replica', 'kubectl kubernetes resource'],
  ['commit branch repo pr', 'git'],
  ['meeting', 'calendar'],
  ['where', 'location place'],
  ['when', 'date time'],
  ['who', 'user member'],
  ['cheap expensive', 'price'],
  ['unread', 'inbox message search'],
  ['news', 'search'],
  ['latest recent', 'list'],
].map(([some = '', hinted = '']) => [words(some), words(hinted)] as const);

/** Turns of phrase, and the words that they stand for. */
export const PHRASES: readonly (readonly [phrase: RegExp, meant: readonly string[]])[] = [
  [/\bwho am i\b(?: (?:logged|signed) in)?/i, words('whoami self viewer profile account')],
  [/\bget (?:from|to|there)\b/i, words('directions route')],
  [/\bhow (?:much|big|large)\b/i, words('size')],
  // A state, which is read: nothing is to be run or opened.
  [
    /\b(?:is|are) (?:still |currently )?(?:running|active|open|waiting|pending|ready|online|up|down)\b/i,
    words('status state'),
  ],
  [/\bhow many\b/i, words('count')],
  [/\bto do (?:list|item)s?\b|\b(?:a|an|my|the|new|another) to do\b/i, words('todo task')],
];

/** What a tool does, by the verb of its name, and what a query wants, by its own. */
export const VERBS: Readonly<Record<string, readonly string[]>> = {
  read: words(
    'get list ls search find read fetch query describe show view count retrieve check lookup browse look see tell',
  ),
  make: words(
    'create add new make insert post book schedule draft write send append upload attach reply comment invite mail message push',
  ),
  change: words('update edit change modify set rename patch move transition assign toggle'),
  remove: words('delete remove rm drop erase clear archive destroy uninstall'),
};

/** A query that begins with one of these asks for something that is read. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(words('what which who whose where when how is are does do'));
export const READING: readonly string[] = words('list get search');

/** Words that say nothing about a tool. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  words(
    'a an and any are as at be been by can could did do does done for from had has have he her him his how i if in into is it its just like me my need of off on onto or our out please she should so some something that the their them then there these they this those to too us want was we were what when where which who whose why will with would you your',
  ),
);
