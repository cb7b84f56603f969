-- By which card somebody paid a bill of their plan, as the hash of the provider's own name for it: whether a partner pays by the card of
-- somebody they brought. Only of partners and of whom they brought; without a hash where it was paid by no card.
create table bill_cards (
  invoice_id text primary key references plan_invoices on delete cascade,
  user_id uuid not null references users on delete cascade,
  card_hash bytea check (length(card_hash) = 32),
  asked_at timestamptz not null
);
create index bill_cards_user on bill_cards (user_id, card_hash);
create index bill_cards_asked on bill_cards (asked_at);
select wall('bill_cards');

-- When an administrator has looked at a referral that was void and lets it count: nothing makes it void by itself any more.
alter table affiliate_referrals
  add column kept_at timestamptz,
  drop constraint affiliate_referrals_void_reason_check,
  add constraint affiliate_referrals_void_reason_check check (void_reason in ('same_person', 'same_card', 'spam', 'brand_ads', 'other'));
