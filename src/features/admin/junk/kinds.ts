import type { Engines } from '#engines/engines.ts';
import type { JunkKind } from '../junk-contract.ts';
import { lostFiles, missingFiles, stagedFiles, uploads } from './files.ts';
import type { Rubbish } from './kind.ts';
import { deadJobs, testPeople, unconfirmedAccounts } from './others.ts';
import {
  closedSupport,
  codes,
  heldBackEmails,
  purchaseLinks,
  quarantinedMedia,
  robotVisits,
  sessions,
} from './rows-store.ts';

/** What the app brings, which alone knows every room. */
export interface JunkDoing {
  /** Removes what these full checks have left, as far as they have ended. */
  removeTestPeople(engines: Engines, checkIds: readonly string[]): Promise<void>;
}

/** Returns every kind of rubbish. */
export const rubbishOf = ({ removeTestPeople }: JunkDoing): Readonly<Record<JunkKind, Rubbish>> => ({
  uploads,
  staged_files: stagedFiles,
  lost_files: lostFiles,
  missing_files: missingFiles,
  dead_jobs: deadJobs,
  unconfirmed_accounts: unconfirmedAccounts,
  codes,
  sessions,
  purchase_links: purchaseLinks,
  closed_support: closedSupport,
  robot_visits: robotVisits,
  held_back_emails: heldBackEmails,
  quarantined_media: quarantinedMedia,
  test_people: testPeople(removeTestPeople),
});
