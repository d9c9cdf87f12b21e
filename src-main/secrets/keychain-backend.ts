import { readFile } from 'node:fs/promises';
import type { KeychainBackend } from '../../src-preload/contract/credentials.ts';
import { SecretService } from './secret-service.ts';

type Product = Extract<KeychainBackend, { kind: 'secret-service' }>['product'];

/**
 * Programs are known by the name of their process, which the kernel cuts to 15 characters. `ksecretd` is KWallet's
 * since KDE Frameworks 6.14.
 */
const PRODUCTS: readonly (readonly [RegExp, Product])[] = [
  [/^gnome-keyring/, 'gnome-keyring'],
  [/^(?:kwalletd|ksecretd)/, 'kwallet'],
  [/^keepassxc/, 'keepassxc'],
];

/** The keychain of this system. It is known to answer. Never rejects. */
export async function keychainBackend(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Promise<KeychainBackend> {
  if (platform === 'darwin') return { kind: 'macos' };
  if (platform === 'win32') return { kind: 'windows' };
  return { kind: 'secret-service', product: await secretServiceProduct(env).catch(() => null) };
}

/** `null` if its process can't be seen, as outside of a sandbox, or is an unknown one. */
async function secretServiceProduct(env: Readonly<Record<string, string | undefined>>): Promise<Product> {
  const pid = await SecretService.with(
    env,
    () => undefined,
    (service) => service.processId(),
  );
  const name = (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
  return PRODUCTS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
