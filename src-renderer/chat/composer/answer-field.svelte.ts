import { MAX_ANSWER_LENGTH } from '../../../src-preload/contract/answer-length.ts';
import type { ModelQuestion } from '../../../src-preload/contract/desktop-tools.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import type { ChatSession } from '../../conversation/chat-session.svelte.ts';
import { keyNames } from '../../ui/key-names.ts';
import { toasts } from '../../ui/toasts.svelte.ts';
import { withStandIns } from '../../ui/unseen-characters.ts';
import { markedChoice } from '../marked-choice.ts';
import type { Composer } from './composer.svelte.ts';
import { isForSteward } from './slash-menu.ts';

/** The key of the menu, which works everywhere. */
export const STOP_WHILE_ASKING = 'Mod+.';

/** Escape does something else while a question is in view. */
export function stopHint(): string {
  return `Answer the question above (F6), or stop with ${keyNames(STOP_WHILE_ASKING).join('+')}`;
}

export interface AnswerFieldPorts {
  readonly chat: () => Pick<ChatSession, 'open' | 'asked' | 'hasPressedEscape' | 'modelQuestions'>;
  readonly composer: Composer;
  readonly tools: () => SettingsView['tools'];
}

const MAX_CHOICE_IN_HINT_LENGTH = 40;

/** While a model asks, the message field takes the answer. */
export class AnswerField {
  readonly #ports: AnswerFieldPorts;
  /** Text that was begun for something else: the user was told what Enter does with it now. */
  #announced: string | null = $state(null);

  constructor(ports: AnswerFieldPorts) {
    this.#ports = ports;
  }

  get placeholder(): string | null {
    const { asked } = this.#chat;
    if (asked === undefined) return null;
    return asked.choices.length > 0 ? 'A number, or another answer' : 'Your answer';
  }

  /** What Enter and Escape do now, or null if they do what they always do. */
  get hint(): string | null {
    const { asked, hasPressedEscape } = this.#chat;
    const { text, attachments } = this.#ports.composer;
    if (this.#announced === text && text !== '')
      return asked === undefined
        ? 'The question is gone. Enter again sends this as a message'
        : 'You began this before the question. Enter again sends it as your answer';
    if (asked === undefined) return null;
    if (hasPressedEscape) return stopHint();
    if (text.trim() === '') return 'The model has a question for you above (F6)';
    const choice = this.#markedOf(asked);
    if (choice !== undefined) return `Enter answers “${shortened(withStandIns(choice))}”`;
    return attachments.length > 0
      ? 'Enter sends your answer; what is attached stays for your next message'
      : 'Enter sends your answer';
  }

  /** Something is written that answers the question. */
  get isWritten(): boolean {
    return this.#chat.asked !== undefined && this.#ports.composer.text.trim() !== '';
  }

  /** Enter, or the button, is for `enter` and not for a message. */
  get takesEnter(): boolean {
    const { asked, open } = this.#chat;
    return asked !== undefined || (this.#isBegunForAnother && open?.isAnswering === false);
  }

  async enter(): Promise<void> {
    const { composer, tools } = this.#ports;
    const { asked, open, modelQuestions } = this.#chat;
    const { text } = composer;
    if (open === null || text.trim() === '') return;
    if (this.#isBegunForAnother) {
      modelQuestions.meant(open.id);
      this.#announced = text;
      return;
    }
    if (asked === undefined) return;
    if (isForSteward(text, tools())) {
      toasts.show('Answer the question first. To send this as your answer, put a word before it.');
      return;
    }
    if (text.trim().length > MAX_ANSWER_LENGTH) {
      toasts.fail(`An answer may have up to ${MAX_ANSWER_LENGTH.toLocaleString('en')} characters.`);
      return;
    }
    if (await modelQuestions.answer(asked.id, this.#markedOf(asked) ?? text)) composer.textUsed(open.id, text);
  }

  /** Handles Escape in the field, and returns whether there was a question. */
  dismiss(): boolean {
    const { asked, modelQuestions } = this.#chat;
    if (asked === undefined) return false;
    void modelQuestions.dismiss(asked.id);
    return true;
  }

  get #chat() {
    return this.#ports.chat();
  }

  get #isBegunForAnother(): boolean {
    const { open, modelQuestions } = this.#chat;
    return open !== null && modelQuestions.isBegunForAnother(open.id);
  }

  #markedOf({ choices }: ModelQuestion): string | undefined {
    const index = markedChoice(choices, this.#ports.composer.text);
    return index === null ? undefined : choices[index];
  }
}

function shortened(text: string): string {
  return text.length <= MAX_CHOICE_IN_HINT_LENGTH ? text : `${text.slice(0, MAX_CHOICE_IN_HINT_LENGTH - 1)}…`;
}
