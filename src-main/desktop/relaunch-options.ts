import { ownAppImage } from './install-kind.ts';

/** An AppImage runs from a folder that is gone when it ends, so its file is started. */
export function relaunchOptions(
  args: string[],
  { env, execPath }: Pick<NodeJS.Process, 'env' | 'execPath'>,
): { readonly args: string[]; readonly execPath?: string } {
  const appImage = ownAppImage(env, execPath);
  return { args, ...(appImage === undefined ? {} : { execPath: appImage }) };
}
