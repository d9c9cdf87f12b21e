import { basename } from 'node:path';
import { freedomText } from '../../../src-preload/contract/bounds.ts';
import { peerName } from '../../network/peer.ts';
import { REGISTRIES_TEXT } from '../command-hosts.ts';
import type { RuleDraft } from '../rules.ts';
import type { RuleOffer } from './consent-question.ts';

/** A longer command is shown on the card, and the words of the rule don't repeat it. */
const MAX_COMMAND_LENGTH = 60;

/**
 * Says what Steward would no longer ask about, on the card that offers the rule: `Running “npm test” in this folder`.
 * The rule's label is exact.
 */
export function ruleWords({ matcher, label }: RuleDraft): string {
  switch (matcher.kind) {
    case 'exact-command': {
      const command = matcher.line.length <= MAX_COMMAND_LENGTH ? `“${matcher.line}”` : 'exactly this command';
      const here = matcher.outsideTextShownIn === undefined ? '' : ', even with text from outside in this conversation';
      return `Running ${command} in this folder${here}`;
    }
    case 'repeated-command': {
      const command = matcher.line.length <= MAX_COMMAND_LENGTH ? `“${matcher.line}”` : 'exactly this command';
      return `Running ${command} in this folder, until new text from outside comes in`;
    }
    case 'work-freely':
      return `Working freely in “${basename(matcher.path)}”`;
    case 'connection': {
      const here = matcher.outsideTextShownIn === undefined ? '' : ', here with text from outside too';
      const to = matcher.to === 'registries' ? REGISTRIES_TEXT : peerName(matcher.to, matcher.class);
      return `Connecting to ${to} from commands in “${basename(matcher.path)}”${here}`;
    }
    case 'repository':
      return `Reading the repository “${basename(matcher.path)}” with git`;
    case 'folder':
      return `${matcher.class === 'write' ? 'Changing' : 'Reading'} files in “${basename(matcher.path)}”`;
    case 'mcp-tool': {
      const here = matcher.outsideTextShownIn === undefined ? '' : ', here with text from outside too';
      if (matcher.content !== undefined)
        return `Reading the ${matcher.content} of the MCP server “${matcher.server}”${here}`;
      return `Using “${matcher.tool}” of the MCP server “${matcher.server}”${here}`;
    }
    case 'account': {
      const here = matcher.outsideTextShownIn === undefined ? '' : ', here with text from outside too';
      return `${matcher.account === 'calendar' ? 'Changing your calendar without inviting anyone' : 'Changing your mailbox'}${here}`;
    }
    case 'mail-links':
      return `Following links in mails from ${matcher.mails.map(({ sender }) => sender).join(', ')}`;
    case 'host':
      return `Reading from ${matcher.host}`;
    // A rule of this kind has no effect and is never offered.
    case 'command':
      return label;
  }
}

/** What a rule that covers more than one kind of call allows, and what it doesn't. */
export function explanationOf({ matcher }: RuleDraft): Pick<RuleOffer, 'explanation'> {
  if (matcher.kind !== 'work-freely') return {};
  // It is offered only where commands can be held.
  return { explanation: freedomText(true) };
}
