import type { SentMessage, TurnStopReason } from '../../src-preload/contract/events.ts';
import type { Assistant, TurnOptions } from '../assistant/assistant.ts';
import type { Command } from '../assistant/commands.ts';
import type { Conversation, Conversations } from '../storage/conversations/conversations.ts';
import { type ChosenModel, type ModelChoice, NO_MODEL } from './model-choice.ts';

export interface StartTurnPorts {
  readonly assistant: Assistant;
  readonly conversations: Conversations;
  readonly models: ModelChoice;
  /** It is called before a turn in a conversation. */
  readonly prepare: (conversationId: string) => Promise<void>;
  /** Keeps the conversation's tools until the function that it returns is called. */
  readonly use: (conversationId: string) => () => void;
  /** The workspace of a new conversation. */
  readonly workspace: () => string;
}

export interface TurnRequest {
  readonly command:
    | Extract<Command, { kind: 'message' | 'retry' | 'compact' | 'tool' }>
    /** Answered without a model, in a turn that no model sees. */
    | { readonly kind: 'answered'; answer(signal: AbortSignal): Promise<string> };
  /** The sent message, with the origin of its text. */
  readonly message: SentMessage & Required<Pick<SentMessage, 'named'>>;
  /** Null for a new conversation. */
  readonly conversation: Conversation | null;
  /** The title of a new conversation. */
  readonly title: string;
  /** The model as in `--model`, or undefined to use the one in the settings. */
  readonly model: string | undefined;
}

/** A turn about to run, with its conversation and its model. */
export interface StartedTurn {
  readonly conversation: Conversation;
  /** The conversation contains nothing but this turn. */
  readonly isNew: boolean;
  /** The model's name for people and programs; `none` without a model. */
  readonly model: string;
  /** Rejects like `Assistant`. */
  run(options: Omit<TurnOptions, 'conversationId'>): Promise<TurnStopReason>;
}

/** The conversation's list entry shows its last model. Throws `ModelChoiceError`, or storage errors. */
export async function startTurn(request: TurnRequest, ports: StartTurnPorts): Promise<StartedTurn> {
  const { command } = request;
  const model =
    command.kind === 'answered' || command.kind === 'tool' ? undefined : await ports.models.choose(request.model);
  const conversation = conversationFor(request, model, ports);
  return {
    conversation,
    isNew: request.conversation === null,
    model: model?.label ?? NO_MODEL,
    run: (options) => run(request, model, ports, { ...options, conversationId: conversation.id }),
  };
}

function conversationFor(
  { conversation, title }: TurnRequest,
  model: ChosenModel | undefined,
  { conversations, workspace }: StartTurnPorts,
): Conversation {
  const label = model?.label ?? NO_MODEL;
  if (conversation === null) return conversations.create({ workspace: workspace(), model: label, title });
  if (model === undefined || conversation.model === label) return conversation;
  return conversations.setModel(conversation.id, label);
}

async function run(
  request: TurnRequest,
  model: ChosenModel | undefined,
  ports: StartTurnPorts,
  options: TurnOptions,
): Promise<TurnStopReason> {
  const { command, message } = request;
  if (command.kind === 'answered')
    return ports.assistant.answerCommand(message, () => command.answer(options.signal), options);
  const settle = ports.use(options.conversationId);
  try {
    await ports.prepare(options.conversationId);
    return await runPrepared({ ...request, command }, model, ports, options);
  } finally {
    settle();
  }
}

type PreparedRequest = TurnRequest & { readonly command: Exclude<TurnRequest['command'], { kind: 'answered' }> };

async function runPrepared(
  { command, message, ...request }: PreparedRequest,
  model: ChosenModel | undefined,
  { assistant, models }: StartTurnPorts,
  options: TurnOptions,
): Promise<TurnStopReason> {
  const { conversationId } = options;
  if (command.kind === 'tool') {
    const services = await models.toolCallServices(request.model, conversationId);
    return assistant.runTool(command, message, services, options);
  }
  if (model === undefined) throw new TypeError('A turn with a model needs one');
  const services = await models.turnServices(model, conversationId);
  if (command.kind === 'retry') return assistant.retry(services, options);
  if (command.kind === 'compact') return assistant.summarise(services, options);
  const sent: SentMessage = command.callsTools === true ? { ...message, callsTools: true } : message;
  return assistant.send(sent, services, options);
}
