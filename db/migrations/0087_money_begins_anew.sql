alter table checkout_orders
  -- What this viewer had used up on the link when they opened it for the first time after paying: from there on it counts.
  add column visits_before integer not null default 0,
  add column watched_before_ms bigint not null default 0,
  add column lent_before_ms bigint not null default 0,
  -- When somebody asks again about what could not be asked about, and how often that was.
  add column tries integer not null default 0,
  add column next_try_at timestamptz;
alter table refunds
  add column tries integer not null default 0,
  add column next_try_at timestamptz;
alter table user_stripe_accounts
  add column tries integer not null default 0,
  add column next_try_at timestamptz;
-- Who was kept from one link is looked for every minute, for what they paid; there are few.
create index link_viewers_blocked on link_viewers (blocked_at) where blocked_at is not null;
