import { Lexer, type MarkedToken } from 'marked';

/** The manuals whose sections screens show as help. They are its only source, and loaded on demand. */
const MANUALS = {
  servers: { file: 'docs/MCP.md', load: () => import('../../../docs/MCP.md?raw') },
  programs: { file: 'docs/CLIENT-TOOLS.md', load: () => import('../../../docs/CLIENT-TOOLS.md?raw') },
  google: { file: 'docs/GOOGLE.md', load: () => import('../../../docs/GOOGLE.md?raw') },
} as const;
export type Manual = keyof typeof MANUALS;

/** The headings in the manuals. */
const TOPICS = {
  add: ['servers', 'Add a server'],
  paste: ['servers', 'What to paste'],
  begin: ['servers', 'Three servers to begin with'],
  whatsapp: ['servers', 'WhatsApp'],
  interviewAssist: ['servers', 'Interview Assist'],
  classes: ['servers', 'What runs without asking'],
  text: ['servers', 'Whose text it brings'],
  review: ['servers', 'Review its tools'],
  edited: ['servers', 'When a server is changed'],
  changed: ['servers', 'Changed tools'],
  signIn: ['servers', 'Sign in'],
  calls: ['servers', 'What a server is sent, and what comes back'],
  content: ['servers', 'Resources and prompts'],
  elicitation: ['servers', 'Questions from a server'],
  sampling: ['servers', 'When a server asks the model'],
  roots: ['servers', 'Folders that a server knows'],
  starting: ['servers', 'How a server is started'],
  diagnostics: ['servers', 'Doctor and log'],
  troubleshooting: ['servers', 'Troubleshooting'],
  googleClient: ['google', 'Make a Google client'],
  googleTesting: ['google', 'Seven days in Testing'],
  googlePowers: ['google', 'What Steward may do'],
  googleKept: ['google', 'Where it is kept'],
  googleRevoke: ['google', 'Disconnect and revoke'],
  googleTroubleshooting: ['google', 'When it doesn’t work'],
  programs: ['programs', 'Let programs connect'],
  programPairing: ['programs', 'Pair a program'],
  programPowers: ['programs', 'What a program may do'],
  programAsk: ['programs', 'Tools for one run of ask'],
  programSends: ['programs', 'Messages from a program'],
  programReceives: ['programs', 'Messages to a program'],
  programGroups: ['programs', 'Groups, skills and augmentations'],
  programRegistration: ['programs', 'Why a registration fails'],
  programLimits: ['programs', 'Limits'],
  programErrors: ['programs', 'Codes of client_error'],
  programTroubleshooting: ['programs', 'When a program does not work'],
} as const satisfies Readonly<Record<string, readonly [Manual, string]>>;
export type HelpTopic = keyof typeof TOPICS;
export const HELP_TOPICS = Object.keys(TOPICS) as readonly HelpTopic[];

export interface HelpText {
  readonly title: string;
  readonly blocks: readonly MarkedToken[];
}

export function manualOf(topic: HelpTopic): Manual {
  return TOPICS[topic][0];
}

/** Tables and examples need the room. */
export function isWideTopic(topic: HelpTopic): boolean {
  return WIDE.has(topic);
}

const WIDE: ReadonlySet<HelpTopic> = new Set([
  ...(['troubleshooting', 'googleTroubleshooting', 'programTroubleshooting'] as const),
  ...([
    'programSends',
    'programReceives',
    'programGroups',
    'programRegistration',
    'programLimits',
    'programErrors',
  ] as const),
]);

export function helpTitle(topic: HelpTopic): string {
  return TOPICS[topic][1];
}

export async function helpText(topic: HelpTopic): Promise<HelpText> {
  const { default: manual } = await MANUALS[manualOf(topic)].load();
  return topicIn(manual, topic);
}

/** Throws a `RangeError` if the manual has no such section. */
export function topicIn(manual: string, topic: HelpTopic): HelpText {
  const title = helpTitle(topic);
  const tokens = Lexer.lex(manual) as MarkedToken[];
  const isHeading = (token: MarkedToken) => token.type === 'heading' && token.depth <= 2;
  const start = tokens.findIndex((token) => isHeading(token) && 'text' in token && token.text === title);
  if (start === -1) throw new RangeError(`${MANUALS[manualOf(topic)].file} has no section “${title}”`);
  const length = tokens.slice(start + 1).findIndex(isHeading);
  const end = length === -1 ? tokens.length : start + 1 + length;
  return { title, blocks: tokens.slice(start + 1, end).filter(({ type }) => type !== 'space') };
}
