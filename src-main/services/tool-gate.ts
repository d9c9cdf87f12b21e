import { homedir } from 'node:os';
import { realPathOrItself } from '../base/real-path.ts';
import { Gate, type GateOptions } from '../policy/gate.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import type { Vendors } from '../tools/contract.ts';
import type { AskableProviders } from './askable-providers.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface ToolGatePorts
  extends Pick<GateOptions, 'rules' | 'consent' | 'questions' | 'unreviewedFiles' | 'variables'> {
  readonly effective: EffectiveSettings;
  readonly vendors: Pick<Vendors, 'baseUrlOf'>;
  readonly asked: Pick<AskableProviders, 'origins'>;
  readonly sandbox: Pick<CommandSandbox, 'canHold'>;
}

/** The gate of all calls, which judges by the settings in effect at that moment. */
export function toolGate({ effective, vendors, asked, sandbox, ...asking }: ToolGatePorts): Gate {
  return new Gate({
    ...asking,
    get realWorkspace() {
      return effective.realWorkspace;
    },
    isInsideRoots: (path) => effective.files.contains(path),
    home: realPathOrItself(homedir()),
    now: () => new Date(),
    holdsCommands: () => sandbox.canHold(effective.files.realRoots),
    get asksBeforeCommands() {
      return effective.config.tools.askBeforeCommands;
    },
    get allowPrivateNetwork() {
      return effective.config.tools.allowPrivateNetwork;
    },
    endpointOrigins: () =>
      [...Object.values(effective.config.endpoints), vendors.baseUrlOf('anthropic')].filter((url) => url !== undefined),
    providerOrigins: () => asked.origins(),
  });
}
