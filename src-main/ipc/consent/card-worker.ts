import { serveJobs } from '../../base/serve-jobs.ts';
import type { CardLayout } from './card-layout.ts';
import { consentCard } from './consent-card.ts';

/** Entry of the thread that lays long questions out for the window. */
serveJobs(({ request, conversationTitle }: CardLayout) => consentCard(request, conversationTitle));
