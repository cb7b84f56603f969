-- A line of test money keeps nobody from being paid real money.
alter table affiliate_payouts add column livemode boolean;
update affiliate_payouts p set livemode = r.livemode from affiliate_runs r where r.id = p.run_id;
alter table affiliate_payouts alter column livemode set not null;
drop index affiliate_payouts_open;
create unique index affiliate_payouts_open on affiliate_payouts (affiliate_id, currency, livemode) where state = 'open';

-- When the provider was last asked by which charge the bill of a share was paid: before that nobody knows whether it is disputed.
alter table commissions add column charge_asked_at timestamptz;
