-- A creator pauses her plan for one to three months: from when to when the provider charges nothing, and what has been used of it.
alter table platform_subscriptions
  -- The end of what was paid for. Null for a pause that was begun at the provider itself: that one holds at once.
  add column paused_from timestamptz,
  -- When the next month is paid for.
  add column paused_until timestamptz,
  -- The end of a pause that was announced.
  add column resume_told_of timestamptz;

-- One row a pause, for how many months of it there are in a year. One that was taken back before it began is gone.
create table plan_pauses (
  plan_id uuid not null references platform_subscriptions on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Before its end, by whoever paused it.
  resumed_at timestamptz,
  primary key (plan_id, starts_at)
);
select wall('plan_pauses');

-- While she has no access for that reason; nothing of hers is let go meanwhile.
alter table users add column plan_paused_until timestamptz;
