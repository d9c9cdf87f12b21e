import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import type { ModelsPart, ProfilePart, ServersPart, SettingsPart, ToolsPart, TurnsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import type { OneQuestion } from '../one-question.ts';

export interface SettingsPorts {
  readonly services: ProfilePart & SettingsPart & ServersPart & ModelsPart & ToolsPart & Pick<TurnsPart, 'undo'>;
  readonly desktop: Pick<Desktop, 'chooseFolder' | 'facts' | 'showFolder' | 'takeGesture' | 'writing'>;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
  readonly onChanged: () => void;
}

/** What all changes of settings share. */
export interface SettingsChange extends Pick<SettingsPorts, 'services' | 'desktop' | 'signal'> {
  /** They are asked about one at a time. */
  readonly question: OneQuestion;
  /** Tells the window, and resolves with what it shows. */
  readonly changed: () => Promise<SettingsView>;
}
