import type { ServerSignIn, serverSignIn } from '../../../src-preload/contract/server-sign-in.ts';
import { SignInFailure, signInProblemText } from '../../accounts/sign-in-problem.ts';
import { visible } from '../../base/text.ts';
import type { ServersPart, SettingsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';

export interface ServerSignInPorts {
  readonly services: Pick<SettingsPart, 'config'> & Pick<ServersPart, 'mcpAccounts'>;
  readonly desktop: Pick<Desktop, 'takeGesture'>;
}

export function serverSignInHandlers({ services, desktop }: ServerSignInPorts): Handlers<typeof serverSignIn> {
  const { mcpAccounts } = services;
  const view = async (server: string): Promise<ServerSignIn> => {
    const { step = null, problem } = mcpAccounts.signIns.progress(server);
    const isSignedIn = await mcpAccounts.signIns.isSignedIn(server);
    const shown = problem === undefined ? null : { code: problem.code, message: visible(signInProblemText(problem)) };
    return { server, isSignedIn, step, problem: shown };
  };
  const remote = () =>
    Object.entries(services.config.mcpServers).flatMap(([name, { url }]) => (url === undefined ? [] : [name]));
  const needRemote = (server: string) => {
    if (!remote().includes(server))
      throw new IpcError('unknown_server', `There is no MCP server ${JSON.stringify(server)} to sign in to.`);
  };

  return {
    list: () => Promise.all(remote().map(view)),

    signIn: async ({ server }, circumstances) => {
      needRemote(server);
      needGesture(desktop, circumstances);
      await mcpAccounts.signIn(server).catch((error: unknown) => {
        // A `SignInFailure` is reported as part of the state.
        if (!(error instanceof SignInFailure)) throw error;
      });
      return view(server);
    },

    cancelSignIn: ({ server }) => {
      needRemote(server);
      mcpAccounts.signIns.cancel(server);
      return view(server);
    },

    // Can't be undone: the service revokes it too.
    signOut: async ({ server }, circumstances) => {
      needRemote(server);
      needGesture(desktop, circumstances);
      await mcpAccounts.signOut(server);
      return view(server);
    },
  };
}
