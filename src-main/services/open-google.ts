import { MailOutbox } from '../background/outbox/outbox.ts';
import type { HttpClient } from '../network/http.ts';
import { locksIn } from '../settings/profile.ts';
import type { Vendors } from '../tools/contract.ts';
import { OutgoingGmail } from '../tools/google/gmail-outgoing.ts';
import { GoogleAccountServices } from './google-accounts.ts';
import type { OpenProfile } from './open-profile.ts';
import type { SurfacePorts } from './surface-ports.ts';

export interface GooglePorts {
  readonly profile: OpenProfile;
  readonly surface: SurfacePorts;
  readonly http: HttpClient;
  readonly vendors: Vendors;
  /** Something failed that no one waits for. */
  readonly onFault: (error: unknown) => void;
}

/** The user's Google accounts, and the mail that leaves through them. */
export function openGoogle({ profile, surface, http, vendors, onFault }: GooglePorts): {
  readonly google: GoogleAccountServices;
  readonly outbox: MailOutbox;
} {
  const { secrets, effective, storage } = profile;
  const { consent, questions, isLongLived, openUrl } = surface;
  const google = new GoogleAccountServices({
    http,
    secrets,
    vendors,
    effective,
    locksFolder: locksIn(profile.directory),
    openBrowser: openUrl,
    notes: storage.accountNotes,
  });
  const outbox = new MailOutbox({
    storage,
    gmail: new OutgoingGmail({ http, google, vendors }),
    google,
    consent,
    questions,
    // Mail waits only if there is a window, because nobody could undo it without one.
    waitSeconds: () => (isLongLived ? effective.config.outboxSeconds : 0),
    onFault,
  });
  return { google, outbox };
}
