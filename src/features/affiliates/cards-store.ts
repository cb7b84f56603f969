import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A bill of which nobody has asked yet by which card it was paid. */
export interface UnaskedBill {
  invoiceId: string;
}

// Bills whose shares wait, and the partners' own, as long as somebody whom they brought may still be void by themselves.
const unasked = statement<UnaskedBill>(
  'bills_unasked',
  `select i.invoice_id as "invoiceId" from plan_invoices i join platform_subscriptions p on p.id = i.plan_id
where p.provider = $1 and p.livemode = $2 and i.paid_at > $3 and i.paid_cents > 0 and p.user_id is not null
  and not exists (select from bill_cards k where k.invoice_id = i.invoice_id)
  and (exists (select from commissions c where c.invoice_id = i.invoice_id and c.state in ('pending', 'payable'))
    or exists (select from affiliates a join affiliate_referrals r on r.affiliate_id = a.id
      where a.user_id = p.user_id and r.void_at is null and r.kept_at is null))
order by i.paid_at desc limit 200`,
);

/** Bills by whose card a referral may be void, the newest first. @param paidAfter older ones are not asked about */
export const listUnasked = (tx: Tx, { provider, livemode }: Realm, paidAfter: Date): Promise<UnaskedBill[]> =>
  tx.query(unasked, [provider, livemode, paidAfter]);

const kept = statement(
  'bill_card_kept',
  `insert into bill_cards (invoice_id, user_id, card_hash, asked_at)
select i.invoice_id, p.user_id, $2, $3 from plan_invoices i join platform_subscriptions p on p.id = i.plan_id
where i.invoice_id = $1 and p.user_id is not null
on conflict (invoice_id) do update set card_hash = coalesce(excluded.card_hash, bill_cards.card_hash)`,
);

/** Keeps what the provider has said: the card by which a bill was paid, as a hash, or that there is none. */
export async function keepBillCard(
  tx: Tx,
  { invoiceId, cardHash, now }: { invoiceId: string; cardHash: Buffer | undefined; now: Date },
): Promise<void> {
  await tx.query(kept, [invoiceId, cardHash ?? null, now]);
}

const samePayers = statement<{ referralId: string }>(
  'referrals_by_own_card',
  `select distinct r.id as "referralId" from commissions c join affiliate_referrals r on r.id = c.referral_id join affiliates a on a.id = r.affiliate_id
join bill_cards k on k.invoice_id = c.invoice_id join bill_cards o on o.user_id = a.user_id and o.card_hash = k.card_hash
where c.provider = $1 and c.livemode = $2 and c.state in ('pending', 'payable') and r.void_at is null and r.kept_at is null limit 200`,
);

/** Referrals with a share that waits whose bill was paid by a card by which their partner has paid as well. */
export const listPaidByOwnCard = async (tx: Tx, { provider, livemode }: Realm): Promise<string[]> =>
  (await tx.query(samePayers, [provider, livemode])).map(({ referralId }) => referralId);

const forgotten = statement(
  'bill_cards_forgotten',
  `delete from bill_cards k where k.asked_at < $1
  and not exists (select from commissions c where c.invoice_id = k.invoice_id and c.state = 'pending')`,
);

/** Forgets by which cards bills of long ago were paid. */
export const forgetBillCards = async (tx: Tx, before: Date): Promise<void> =>
  void (await tx.query(forgotten, [before]));
