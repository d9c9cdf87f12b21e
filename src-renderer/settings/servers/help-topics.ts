import { Lexer, type MarkedToken } from 'marked';

/** Sections of docs/MCP.md that screens show as help, by heading. */
export const HELP_TOPICS = {
  add: 'Add a server',
  whatsapp: 'WhatsApp',
  interviewAssist: 'Interview Assist',
  classes: 'What runs without asking',
  text: 'Whose text it brings',
  review: 'Review its tools',
  edited: 'When a server is changed',
  changed: 'Changed tools',
  signIn: 'Sign in',
  content: 'Resources and prompts',
  elicitation: 'Questions from a server',
  sampling: 'When a server asks the model',
  roots: 'Folders that a server knows',
  starting: 'How a server is started',
  diagnostics: 'Doctor and log',
  troubleshooting: 'Troubleshooting',
} as const;
export type HelpTopic = keyof typeof HELP_TOPICS;

export interface HelpText {
  readonly title: string;
  readonly blocks: readonly MarkedToken[];
}

/** The manual is the only source of the help; it is loaded on demand. */
export async function helpText(topic: HelpTopic): Promise<HelpText> {
  const { default: manual } = await import('../../../docs/MCP.md?raw');
  return topicIn(manual, topic);
}

/** Throws a `RangeError` if the manual has no such section. */
export function topicIn(manual: string, topic: HelpTopic): HelpText {
  const title = HELP_TOPICS[topic];
  const tokens = Lexer.lex(manual) as MarkedToken[];
  const isHeading = (token: MarkedToken) => token.type === 'heading' && token.depth <= 2;
  const start = tokens.findIndex((token) => isHeading(token) && 'text' in token && token.text === title);
  if (start === -1) throw new RangeError(`docs/MCP.md has no section “${title}”`);
  const length = tokens.slice(start + 1).findIndex(isHeading);
  const end = length === -1 ? tokens.length : start + 1 + length;
  return { title, blocks: tokens.slice(start + 1, end).filter(({ type }) => type !== 'space') };
}
