import { statement, type Tx } from '#engines/database/work.ts';
import type { PartnerState } from './rules.ts';

export interface NewApplication {
  id: string;
  email: string;
  name: string;
  audience: string;
  now: Date;
}

/** Keeps an application, beside those that came under the same address: who of them is its owner, nobody knows. */
export async function insertApplication(tx: Tx, application: NewApplication): Promise<void> {
  const { id, email, name, audience, now } = application;
  await tx.db.insertInto('affiliates').values({ id, email, name, audience, created_at: now }).execute();
}

/** Forgets applications that nothing has come of: nobody has taken them up. */
export async function forgetApplications(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('affiliates').where('created_at', '<', before).where('claimed_at', 'is', null).execute();
}

/** A partner, or whoever has applied to be one. */
export interface PartnerRow {
  id: string;
  userId: string | null;
  name: string;
  /** Of the account once it is claimed, else of the application. */
  email: string;
  audience: string;
  state: PartnerState;
  code: string | null;
  shareBps: number | null;
  note: string;
  createdAt: Date;
  decidedAt: Date | null;
  claimedAt: Date | null;
}

export const partnerColumns = `a.id, a.user_id as "userId", a.name, coalesce(u.email, a.email) as email, a.audience, a.state, a.code, a.share_bps as "shareBps",
  a.note, a.created_at as "createdAt", a.decided_at as "decidedAt", a.claimed_at as "claimedAt"`;

const byId = statement<PartnerRow>(
  'partner_by_id',
  `select ${partnerColumns} from affiliates a left join users u on u.id = a.user_id where a.id = $1 for update of a`,
);

/** A partner, held until the transaction ends. */
export const holdPartner = async (tx: Tx, id: string): Promise<PartnerRow | undefined> =>
  (await tx.query(byId, [id]))[0];

const byCode = statement<{ id: string }>('partner_id_of_code', 'select id from affiliates where code = $1');

export const findIdOfCode = async (tx: Tx, code: string): Promise<string | undefined> =>
  (await tx.query(byCode, [code]))[0]?.id;

export interface Decision {
  id: string;
  state: PartnerState;
  note: string;
  /** Null for a command. */
  by: string | null;
  now: Date;
}

const decided = statement(
  'partner_decided',
  `update affiliates set state = $2, note = $3, decided_by = $4, decided_at = $5 where id = $1`,
);

/** Writes how a partner stands from now on, and why. */
export const writeDecision = async (tx: Tx, { id, state, note, by, now }: Decision): Promise<void> =>
  void (await tx.query(decided, [id, state, note, by, now]));

const termsGiven = statement<{ id: string }>(
  'partner_terms_given',
  `update affiliates a set code = coalesce(code, $2), share_bps = coalesce(share_bps, $3)
where a.id = $1 and not exists (select from affiliates o where o.code = $2 and o.id <> $1) returning id`,
);

/** Gives a partner a code and a share, unless they have them. @returns false when the code is taken */
export const giveTerms = async (tx: Tx, id: string, { code, shareBps }: { code: string; shareBps: number }) =>
  (await tx.query(termsGiven, [id, code, shareBps])).length === 1;

const shareWritten = statement('partner_share_written', 'update affiliates set share_bps = $2 where id = $1');

export const writeShare = async (tx: Tx, id: string, shareBps: number): Promise<void> =>
  void (await tx.query(shareWritten, [id, shareBps]));

const own = statement<PartnerRow>(
  'partner_own',
  `select a.id, a.user_id as "userId", a.name, '' as email, a.audience, a.state, a.code, a.share_bps as "shareBps",
  a.note, a.created_at as "createdAt", a.decided_at as "decidedAt", a.claimed_at as "claimedAt" from affiliates a where a.user_id = $1`,
);

/** The partner that an account is; read as the account itself. */
export const findOwnPartner = async (tx: Pick<Tx, 'query'>, userId: string): Promise<PartnerRow | undefined> =>
  (await tx.query(own, [userId]))[0];

const toClaim = statement<Pick<PartnerRow, 'id' | 'name' | 'state' | 'shareBps'>>(
  'partner_to_claim',
  `select a.id, a.name, a.state, a.share_bps as "shareBps" from affiliates a join users u on u.email = a.email
where u.id = $1 and u.email_verified and a.user_id is null and a.state in ('approved', 'applied')
order by a.state = 'approved' desc, a.created_at desc limit 1`,
);

/** The application that was made with the confirmed address of an account: an approved one first. */
export const findApplicationOf = async (tx: Tx, userId: string) => (await tx.query(toClaim, [userId]))[0];

// From now on the account's address counts: the one of the application would be kept twice, and be erased by another rule.
const claimed = statement<{ id: string }>(
  'partner_claimed',
  `update affiliates a set user_id = $2, claimed_at = $3, email = ''
where a.id = $1 and a.user_id is null and a.state = 'approved' and not exists (select from affiliates o where o.user_id = $2) returning id`,
);

/** Makes an account the partner of an approved application. @returns false when it is one already, or somebody was quicker */
export const claimPartner = async (tx: Tx, id: string, userId: string, now: Date): Promise<boolean> =>
  (await tx.query(claimed, [id, userId, now])).length === 1;
