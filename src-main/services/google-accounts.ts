import type { GoogleAccounts } from '../tools/contract.ts';

export const noGoogleAccounts: GoogleAccounts = {
  address: async () => undefined,
  token: () => Promise.reject(new Error('There is no sign-in to Google')),
};
