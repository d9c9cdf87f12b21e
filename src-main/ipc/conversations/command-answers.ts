import type { Command } from '../../assistant/commands.ts';
import { backticksAround } from '../../base/text.ts';
import { ModelChoiceError } from '../../models/registry.ts';
import type { PermissionGrant } from '../../policy/permission-grant.ts';
import type { ModelsPart, ProviderCommand, SettingsPart, ToolsPart, TurnRequest } from '../../services.ts';
import { answerToolsCommand, type ToolsCommand } from '../../tools/registry/tools-command.ts';
import type { Desktop, SessionRecord } from '../desktop-port.ts';

type ToolCommandServices = Pick<ToolsPart, 'registry' | 'toolServicesOf'> &
  Pick<SettingsPart, 'askForGrant'> &
  Pick<ModelsPart, 'asksItself'>;
type CommandServices = ToolCommandServices & Pick<ModelsPart, 'answerProviderCommand'>;

/** What a turn of the window runs for a command, or undefined if it is not for the window. */
export function runnable(
  command: Command,
  services: CommandServices,
  conversationId: string | null,
  { session }: Pick<Desktop, 'session'>,
): TurnRequest['command'] | undefined {
  switch (command.kind) {
    case 'message':
    case 'tool':
      return command;
    case 'tools':
      return { kind: 'answered', answer: (stop) => toolsAnswer(command, services, conversationId, stop) };
    case 'provider':
      return { kind: 'answered', answer: () => providerAnswer(command, services) };
    case 'data':
      return command.verb === 'log' ? { kind: 'answered', answer: () => logAnswer(session) } : undefined;
    default:
      return undefined;
  }
}

async function logAnswer(session: SessionRecord): Promise<string> {
  await session.showLog();
  return fenced(`Opened ${session.logFile}`);
}

/**
 * The answer to `/tools …` in the chat, as Markdown that shows it verbatim. Switching a tool on asks first, because a
 * page could have sent the line without the user. Source: design section 4 ("One gate").
 */
async function toolsAnswer(
  command: ToolsCommand,
  { registry, askForGrant, asksItself, toolServicesOf }: ToolCommandServices,
  conversationId: string | null,
  signal: AbortSignal,
): Promise<string> {
  const brought = conversationId === null ? [] : toolServicesOf(conversationId).tools.brought();
  const descriptionOf = (name: string) => {
    const registered = registry.get(name);
    if (registered !== undefined) return registered.description;
    const tool = brought.find((each) => each.name === name);
    return tool === undefined ? 'Not currently registered.' : `${tool.client} says: ${tool.description}`;
  };
  const mayEnable = (names: readonly string[]) =>
    askForGrant(toolGrant(names.map((name) => ({ name, description: descriptionOf(name) }))), signal);
  const isHidden = await asksItself(undefined);
  const text = await answerToolsCommand({ registry, brought, isHidden }, command, mayEnable);
  return fenced(text);
}

/**
 * The answer to `/provider …` in the chat, shown verbatim. It chooses among what the user configured, so it asks
 * nothing.
 */
async function providerAnswer(
  command: ProviderCommand,
  { answerProviderCommand }: Pick<ModelsPart, 'answerProviderCommand'>,
): Promise<string> {
  try {
    return fenced(await answerProviderCommand(command));
  } catch (error) {
    if (error instanceof ModelChoiceError) return fenced(error.message);
    throw error;
  }
}

/** The question before tools are switched on: their names and descriptions. */
export function toolGrant(
  tools: readonly { readonly name: string; readonly description: string }[],
): PermissionGrant<'tool'> {
  const [first, ...others] = tools;
  return first !== undefined && others.length === 0
    ? { subject: 'tool', key: `tools.${first.name}`, value: first.description }
    : { subject: 'tool', key: 'tools', value: Object.fromEntries(tools.map((tool) => [tool.name, tool.description])) };
}

function fenced(text: string): string {
  const fence = backticksAround(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}
