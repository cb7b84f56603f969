-- A subscription may be paid for several months at once, at a lower price, and renews for as many.
alter table fan_tiers
  -- In percent; null for a length that is not offered.
  add column off_3 smallint check (off_3 between 0 and 50),
  add column off_6 smallint check (off_6 between 0 and 50),
  add column off_12 smallint check (off_12 between 0 and 50);
alter table checkout_orders add column months smallint not null default 1 check (months in (1, 3, 6, 12));
-- What it costs stands beside it, of all its months together.
alter table fan_subscriptions add column months smallint not null default 1 check (months in (1, 3, 6, 12));
