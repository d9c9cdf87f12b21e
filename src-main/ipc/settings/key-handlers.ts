import type { SecretName, settings } from '../../../src-preload/contract/settings.ts';
import { canBeTested, type KeyTestResult, testKey } from '../../models/key-test.ts';
import { environmentNames } from '../../secrets/secret-names.ts';
import { shownEnd } from '../../services.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import type { SettingsChange } from './settings-change.ts';

export interface KeyPorts extends SettingsChange {
  /** A key was stored. */
  readonly onStored: (name: SecretName) => void;
}

/** The keys that all providers and tools of a vendor share. */
export function keyHandlers({
  services,
  desktop,
  signal,
  question,
  changed,
  onStored,
}: KeyPorts): Pick<Handlers<typeof settings>, 'testKey' | 'setKey' | 'removeKey'> {
  const { secrets } = services;
  /** A key enables tools, and its owner can see the requests made with it: a page must not insert one of its own. */
  const confirmKey = async (name: SecretName, key: string) => {
    const status = (await secrets.status()).find((each) => each.name === name);
    const ended = name === 'google-client-id' ? await services.googleAccounts.endedByClient(key) : [];
    const item = {
      subject: name.startsWith('google-client') ? 'google-client' : 'key',
      key: environmentNames[name] ?? name,
      value: [shownKey(name, key), ...ended.map((account) => `Ends the sign-in to ${account}`)].join('\n'),
      ...(status?.isSet === true ? { previous: 'another key is set' } : {}),
    } as const;
    await question.confirm(() => services.askForGrant(item, signal), 'It was not stored.');
  };
  /** A key that works and that main saw the user type or paste and then submit needs no question. */
  let enteredKey: { readonly name: SecretName; readonly value: string } | undefined;
  let testedKey: { readonly name: SecretName; readonly value: string; readonly result: KeyTestResult } | undefined;

  return {
    testKey: async ({ name, value }, circumstances) => {
      enteredKey = undefined;
      // The key is sent to the service: a compromised page could send anything as a key.
      needGesture(desktop, circumstances);
      const isEntered = (await desktop.writing()).holdsLines(value);
      const result = await testKey(name, value, services.baseUrlOf);
      if (isEntered && result.works && canBeTested(name)) enteredKey = { name, value };
      testedKey = canBeTested(name) ? { name, value, result } : undefined;
      return result;
    },

    setKey: async ({ name, value }) => {
      const isEntered = enteredKey?.name === name && enteredKey.value === value;
      enteredKey = undefined;
      const key = secrets.check(name, value);
      const flaw = services.googleAccounts.keyFlaw(name, key);
      if (flaw !== undefined) throw new IpcError('unlikely_key', flaw);
      if (!isEntered) await confirmKey(name, key);
      await secrets.set(name, value);
      const tested = testedKey?.name === name && testedKey.value === value ? testedKey.result : null;
      await services.providerSettings.vendorKeyTested(name, tested);
      onStored(name);
      if (name === 'google-client-id') await services.googleAccounts.clientChanged(key);
      await services.refreshCredentials();
      return changed();
    },

    removeKey: async ({ name }) => {
      await secrets.remove(name);
      await services.providerSettings.vendorKeyTested(name, null);
      await services.refreshCredentials();
      return changed();
    },
  };
}

/** A client id is no secret, and all of them end alike. */
function shownKey(name: SecretName, key: string): string {
  return name === 'google-client-id' ? key : `a key that ends in ${JSON.stringify(shownEnd(key))}`;
}
