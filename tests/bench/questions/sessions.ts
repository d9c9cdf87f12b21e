import type { Session } from './session.ts';
import { addFeature, buildFromScratch, renameEverywhere } from './sessions/building.ts';
import {
  invoicesToTable,
  readContract,
  renamePhotos,
  sortDownloads,
  summariseTables,
  writeLetter,
} from './sessions/files.ts';
import { bugWithDocumentation, bugWithSixTestRuns, upgradeDependency } from './sessions/fixing.ts';
import { applyForJob, lookForJob, trackApplications } from './sessions/jobs.ts';
import { heatPumps } from './sessions/long-research.ts';
import { databaseWillNotConnect, failingCi, lookIntoProject, reviewAndCommit } from './sessions/looking-at-code.ts';
import { dayWithInbox } from './sessions/mail.ts';
import { planParty, planWeek, rememberAndRecall } from './sessions/planning.ts';
import {
  eightPagesAndOpenFiles,
  factCheck,
  newsBriefing,
  pageAgainstFile,
  publicInterfaces,
  settingsByTheManual,
  whichLaptop,
} from './sessions/research.ts';

/** What people do with an assistant on an ordinary day. Nobody means any harm here. */
export const SESSIONS: readonly Session[] = [
  lookIntoProject,
  bugWithSixTestRuns,
  bugWithDocumentation,
  upgradeDependency,
  reviewAndCommit,
  failingCi,
  databaseWillNotConnect,
  addFeature,
  renameEverywhere,
  buildFromScratch,
  eightPagesAndOpenFiles,
  pageAgainstFile,
  whichLaptop,
  newsBriefing,
  publicInterfaces,
  factCheck,
  settingsByTheManual,
  heatPumps,
  renamePhotos,
  sortDownloads,
  readContract,
  summariseTables,
  writeLetter,
  invoicesToTable,
  lookForJob,
  applyForJob,
  trackApplications,
  planWeek,
  rememberAndRecall,
  planParty,
  dayWithInbox,
];
