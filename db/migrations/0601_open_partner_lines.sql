-- A line that is to be paid follows what it is of: what goes back meanwhile makes it smaller, and when nothing is left it leaves the run
-- (`left_at`). `made_cents` is what it was when the run was made, which somebody may have paid by then.
alter table affiliate_payouts
  add column made_cents bigint,
  add column left_at timestamptz,
  drop constraint affiliate_payouts_amount_cents_check;
update affiliate_payouts set made_cents = amount_cents;
alter table affiliate_payouts
  alter column made_cents set not null,
  add constraint made_is_the_most check (made_cents > 0 and amount_cents between 0 and made_cents),
  add constraint left_is_settled check (left_at is null or state <> 'open');

-- What was paid beyond what was due by then is taken off the next payouts as well.
alter table affiliate_deductions
  alter column commission_id drop not null,
  add column overpaid_by uuid references affiliate_payouts,
  drop constraint affiliate_deductions_because_check,
  add constraint affiliate_deductions_because_check check (because in ('refunded', 'disputed', 'referral_void', 'overpaid')),
  add constraint overpaid_is_of_a_payout check ((because = 'overpaid') = (overpaid_by is not null) and (because = 'overpaid') = (commission_id is null));
create index affiliate_deductions_overpaid on affiliate_deductions (overpaid_by);
