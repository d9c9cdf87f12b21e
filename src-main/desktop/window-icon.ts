import { join } from 'node:path';

/** The icon in a window's options. On other systems the program's own icon is shown. */
export function windowIcon(outputFolder: string): { readonly icon?: string } {
  return process.platform === 'linux' ? { icon: join(outputFolder, 'icon.png') } : {};
}
