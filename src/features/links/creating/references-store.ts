import { statement, type Tx } from '#engines/database/work.ts';

const owned = statement<{ hasAgreement: boolean; hasTiers: boolean }>(
  'references_owned',
  `select $2::uuid is null or exists (select from agreements a where a.id = $2 and a.user_id = $1) as "hasAgreement",
  not exists (select from unnest($3::uuid[]) as wanted(id)
    where not exists (select from fan_tiers t where t.id = wanted.id and t.creator_id = $1)) as "hasTiers"`,
);

/** Returns whether the text and the tiers that rules name are this creator's, stopped tiers among them. */
export const findOwned = async (
  tx: Tx,
  {
    creatorId,
    agreementId,
    tierIds,
  }: { creatorId: string; agreementId: string | undefined; tierIds: readonly string[] },
): Promise<{ hasAgreement: boolean; hasTiers: boolean }> =>
  (await tx.query(owned, [creatorId, agreementId ?? null, tierIds]))[0] ?? { hasAgreement: false, hasTiers: false };
