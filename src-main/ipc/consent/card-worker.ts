import { serveJobs } from '../../base/serve-jobs.ts';
import { type CardLayout, consentCard } from './consent-card.ts';

/** Entry of the thread that lays long questions out for the window. */
serveJobs(async (layout: CardLayout) => consentCard(layout));
