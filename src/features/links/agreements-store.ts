import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'query'>;

/** One version of a text that viewers agree to. */
export interface AgreementRow {
  id: string;
  familyId: string;
  version: number;
  title: string;
  body: string;
  asksName: boolean;
  createdAt: Date;
}

const columns = `a.id, a.family_id as "familyId", a.version, a.title, a.body, a.asks_name as "asksName", a.created_at as "createdAt"`;

const newest = statement<AgreementRow>(
  'agreements_of_creator',
  `select ${columns} from agreements a where a.user_id = $1
  and not exists (select from agreements n where n.family_id = a.family_id and n.version > a.version)
order by a.created_at desc, a.id desc limit 100`,
);

/** The newest version of each text of a creator. */
export const listAgreements = (tx: Tx, creatorId: string): Promise<AgreementRow[]> => tx.query(newest, [creatorId]);

const one = statement<AgreementRow>(
  'agreement_of_creator',
  `select ${columns} from agreements a where a.id = $1 and a.user_id = $2`,
);

/** A version of one of this creator's texts. */
export const findAgreement = async (source: Source, id: string, creatorId: string): Promise<AgreementRow | undefined> =>
  (await source.query(one, [id, creatorId]))[0];

const ofLink = statement<{ agreementId: string | null }>(
  'agreement_of_link',
  `select policy->>'agreementId' as "agreementId" from magic_links where id = $1 and user_id = $2`,
);

/** The version that a link asks for, null for none. @returns undefined when it isn't such a link of this creator */
export const findAgreementIdOf = async (
  tx: Tx,
  linkId: string,
  creatorId: string,
): Promise<{ agreementId: string | null } | undefined> => (await tx.query(ofLink, [linkId, creatorId]))[0];

const inserted = statement<{ id: string }>(
  'agreement_inserted',
  `insert into agreements (id, user_id, family_id, version, title, body, asks_name, created_at)
select $1, $2, $3, coalesce((select max(k.version) from agreements k where k.family_id = $3), 0) + 1, $4, $5, $6, $7
where (select count(*) from agreements k where k.user_id = $2) < $8 returning id`,
);

export interface NewAgreement {
  id: string;
  creatorId: string;
  familyId: string;
  title: string;
  body: string;
  asksName: boolean;
  now: Date;
}

/** Writes the next version of a text. @returns false when as many were written as may be */
export async function insertAgreement(tx: Tx, agreement: NewAgreement, most: number): Promise<boolean> {
  const { id, creatorId, familyId, title, body, asksName, now } = agreement;
  return (await tx.query(inserted, [id, creatorId, familyId, title, body, asksName, now, most])).length === 1;
}

const known = statement(
  'agreement_family_known',
  'select from agreements where family_id = $1 and user_id = $2 limit 1',
);

/** Returns whether a text is one of this creator's. */
export const isFamilyOf = async (tx: Tx, familyId: string, creatorId: string): Promise<boolean> =>
  (await tx.query(known, [familyId, creatorId])).length === 1;

/** Somebody who has agreed to a text at a link. */
export interface AcceptanceRow {
  id: string;
  /** The id by which this creator knows the viewer; null once nothing is known of them any more. */
  pseudonym: string | null;
  alias: string | null;
  typedName: string | null;
  title: string;
  version: number;
  at: Date;
}

const accepted = statement<AcceptanceRow>(
  'acceptances_of_link',
  `select c.id, p.id as pseudonym, n.alias, c.typed_name as "typedName", a.title, a.version, c.at
from agreement_acceptances c join agreements a on a.id = c.agreement_id
left join viewer_pseudonyms p on p.creator_id = c.creator_id and p.viewer_id = c.viewer_id
left join viewer_aliases n on n.creator_id = c.creator_id and n.viewer_id = c.viewer_id
where c.link_id = $1 and c.creator_id = $2 order by c.at desc, c.id desc limit $3`,
);

/** Who has agreed at a link of a creator, newest first. */
export const listAcceptances = (
  tx: Tx,
  about: { linkId: string; creatorId: string; limit: number },
): Promise<AcceptanceRow[]> => tx.query(accepted, [about.linkId, about.creatorId, about.limit]);

const acceptanceKept = statement(
  'acceptance_kept',
  `with pseudonym as (
  insert into viewer_pseudonyms (creator_id, viewer_id) values ($4, $5) on conflict (creator_id, viewer_id) do nothing
)
insert into agreement_acceptances (id, agreement_id, link_id, creator_id, viewer_id, typed_name, at)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (link_id, viewer_id, agreement_id) do nothing`,
);

export interface NewAcceptance {
  id: string;
  agreementId: string;
  linkId: string;
  creatorId: string;
  viewerId: string;
  typedName: string | null;
  now: Date;
}

/** Keeps that a viewer has agreed; the first time counts. */
export async function insertAcceptance(tx: Tx, acceptance: NewAcceptance): Promise<void> {
  const { id, agreementId, linkId, creatorId, viewerId, typedName, now } = acceptance;
  await tx.query(acceptanceKept, [id, agreementId, linkId, creatorId, viewerId, typedName, now]);
}
