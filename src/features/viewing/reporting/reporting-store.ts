import { statement, type Tx } from '#engines/database/work.ts';
import { isOpenSql } from '#features/access/facts-store.ts';

const linkHeld = statement<{ id: string }>(
  'reported_link_held',
  'select id from magic_links where id = $1 and not is_revoked for no key update',
);
const held = statement<{ id: string }>(
  'admission_held',
  `select a.id from link_viewers a join magic_links l on l.id = a.link_id and not l.is_revoked
where a.id = $1 and a.blocked_at is null for no key update of a`,
);

/**
 * Holds an admission until the transaction ends: reports of one viewer come one after the other.
 * @param revocableLinkId its link, where a report may revoke it: whoever holds both takes the link first
 * @returns false when the link has closed meanwhile, to all or to this viewer
 */
export async function holdAdmission(tx: Tx, grantId: string, revocableLinkId: string | undefined): Promise<boolean> {
  if (revocableLinkId !== undefined && (await tx.query(linkHeld, [revocableLinkId])).length === 0) return false;
  return (await tx.query(held, [grantId])).length === 1;
}

const reportNoted = statement<{ id: string }>(
  'report_noted',
  'update viewer_sessions set last_report = $2 where id = $1 and last_report is distinct from $2 returning id',
);

/** Remembers the report that came last of a visit. @returns false for one that comes once more */
export const noteReport = async (tx: Tx, visitId: string, reportId: string): Promise<boolean> =>
  (await tx.query(reportNoted, [visitId, reportId])).length === 1;

const openVisits = statement<{ id: string }>(
  'open_visits_of_admission',
  `select id from viewer_sessions s where admission_id = $1 and ${isOpenSql('s')} order by started_at limit 100`,
);

/** The screens on which a viewer has a link open. */
export const findOpenVisits = async (tx: Tx, grantId: string): Promise<string[]> =>
  (await tx.query(openVisits, [grantId])).map(({ id }) => id);
