import type { FilePreview } from '../../../src-preload/contract/desktop-tools.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import { errorMessage } from '../../base/errors.ts';
import { firstCharacters } from '../../base/text.ts';
import { WINDOW_NAME } from '../../client-tools/client-names.ts';
import type { ClientHost, ClientRequest, HostResponse, OwnCode } from '../../client-tools/records.ts';
import { marksOfServer } from '../../policy/mark-sources.ts';
import type { Desktop } from '../desktop-port.ts';
import { DESKTOP_CLASSES, DESKTOP_INPUTS, isDesktopTool } from './desktop-group.ts';
import { type CallPlan, type PlannedEffects, plannedEffects } from './desktop-plans.ts';
import type { ModelQuestions } from './model-questions.ts';

export interface DesktopHostPorts {
  readonly desktop: Pick<
    Desktop,
    'openExternal' | 'openPath' | 'revealPath' | 'readClipboard' | 'writeClipboard' | 'notifySystem' | 'selection'
  >;
  readonly questions: ModelQuestions;
  readonly show: {
    message(message: { readonly conversationId: string; readonly text: string }): void;
    file(preview: FilePreview): void;
  };
  /** The conversation that the window shows now. Null if it shows none, or another screen. */
  readonly shownConversation: () => string | null;
  readonly answer: (response: HostResponse, host: ClientHost) => void;
}

/** The user may have selected words of a page, or of their own mail. */
const MARKS_OF_SELECTION: readonly Mark[] = marksOfServer({ source: 'the selection in the window', whose: 'outside' });
const MAX_PREVIEW_LENGTH = 200_000;
/** Text from outside could make a model flood the screen. */
const MAX_NOTIFICATIONS = 5;
const NOTIFICATIONS_WITHIN_MS = 60_000;

class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/**
 * The window as a client of one conversation: the living example of a host (tool catalogue D). What its tools touch
 * goes through the policy like any other call; only what was assessed is done.
 */
export class DesktopHost implements ClientHost {
  readonly name = WINDOW_NAME;
  readonly isConnected = true;
  readonly #conversationId: string;
  readonly #ports: DesktopHostPorts;
  /** Call of this turn → what was assessed last. */
  readonly #plans = new Map<string, CallPlan>();
  /** Requests whose answer is awaited. */
  readonly #awaited = new Set<string>();
  readonly #notifiedAt: number[] = [];

  constructor(conversationId: string, ports: DesktopHostPorts) {
    this.#conversationId = conversationId;
    this.#ports = ports;
  }

  readonly ownCode: OwnCode = {
    effectsOf: async (tool, input, context) => {
      const { plan, ...effects }: PlannedEffects = await plannedEffects(tool, input, context);
      this.#plans.set(context.callId, plan);
      return effects;
    },
    classOf: (tool) => (isDesktopTool(tool) ? DESKTOP_CLASSES[tool] : 'write'),
    marksOf: (tool) => (tool === 'get_selection' ? MARKS_OF_SELECTION : []),
    isPatient: (tool) => tool === 'ask_user',
  };

  /** Calls of the turn before are over, also those that were declined or stopped. */
  turnStarts(): void {
    this.#plans.clear();
  }

  request(request: ClientRequest): void {
    const { requestId, callId } = request;
    // Kept: after a while without an answer, the call may be sent again.
    const plan = this.#plans.get(callId);
    this.#awaited.add(requestId);
    const answer = (response: Omit<HostResponse, 'requestId'>) => {
      if (this.#awaited.delete(requestId)) this.#ports.answer({ requestId, ...response }, this);
    };
    this.#run(request, plan).then(
      (text) => answer({ content: text === '' ? [] : [{ type: 'text', text }], success: true }),
      (error: unknown) =>
        answer({
          content: [],
          success: false,
          errorMessage: errorMessage(error),
          ...(error instanceof Unanswered ? { outcome: 'unanswered' } : {}),
        }),
    );
  }

  cancel(requestId: string): void {
    this.#awaited.delete(requestId);
    this.#ports.questions.dismiss(requestId);
  }

  async #run({ requestId, toolName, arguments: given }: ClientRequest, plan: CallPlan | undefined): Promise<string> {
    if (!isDesktopTool(toolName) || plan === undefined) throw new Error(`There is no such tool: ${toolName}`);
    const { desktop, show } = this.#ports;
    switch (toolName) {
      case 'show_message':
        show.message({
          conversationId: this.#conversationId,
          text: DESKTOP_INPUTS.show_message.parse(given).text,
        });
        return 'The message is shown.';
      case 'ask_user':
        return this.#ask(requestId, DESKTOP_INPUTS.ask_user.parse(given));
      case 'open_url':
        await desktop.openExternal(plan.target);
        return `Opened ${plan.target} in the browser.`;
      case 'open_path':
        await plan.stillThere();
        await desktop.openPath(plan.target);
        return `Opened ${plan.given}.`;
      case 'reveal_in_folder':
        await plan.stillThere();
        desktop.revealPath(plan.target);
        return `Showed ${plan.given} in the file manager.`;
      case 'get_selection':
        return this.#selection();
      case 'get_clipboard':
        return desktop.readClipboard();
      case 'set_clipboard':
        await desktop.writeClipboard(DESKTOP_INPUTS.set_clipboard.parse(given).text);
        return 'The text is on the clipboard.';
      case 'notify': {
        const { title, text } = DESKTOP_INPUTS.notify.parse(given);
        this.#countNotification();
        await desktop.notifySystem(title, text);
        return 'The notification is shown.';
      }
      case 'preview_file': {
        const text = await plan.text();
        show.file({
          conversationId: this.#conversationId,
          path: plan.given,
          text: firstCharacters(text, MAX_PREVIEW_LENGTH),
          isCut: text.length > MAX_PREVIEW_LENGTH,
        });
        return `${plan.given} is shown.`;
      }
    }
  }

  /**
   * The selection in this conversation. While it is read, the user may show another one, whose text is then not
   * returned.
   */
  async #selection(): Promise<string> {
    const { desktop, shownConversation } = this.#ports;
    const isShown = () => shownConversation() === this.#conversationId;
    const text = isShown() ? await desktop.selection() : '';
    return isShown() ? text : '';
  }

  async #ask(id: string, given: { readonly question: string; readonly choices?: readonly string[] | undefined }) {
    const { question } = given;
    const choices = (given.choices ?? []).map((choice) => choice.trim()).filter((choice) => choice !== '');
    const answer = await this.#ports.questions.ask({ id, conversationId: this.#conversationId, question, choices });
    if (answer === null) throw new Unanswered('The user did not answer.');
    return answer;
  }

  #countNotification(): void {
    const now = Date.now();
    const recent = this.#notifiedAt.filter((at) => now - at < NOTIFICATIONS_WITHIN_MS);
    if (recent.length >= MAX_NOTIFICATIONS) throw new Error('Too many notifications in one minute.');
    this.#notifiedAt.splice(0, this.#notifiedAt.length, ...recent, now);
  }
}
