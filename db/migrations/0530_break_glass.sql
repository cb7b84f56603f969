-- An administrator looks at what a report or an order is about: with a reason, for half an hour, and its creator is told.
create table break_glasses (
  id uuid primary key,
  admin_id uuid references users on delete set null,
  creator_id uuid not null references users on delete cascade,
  link_id uuid references magic_links on delete set null,
  report_id uuid references reports on delete set null,
  order_id uuid references checkout_orders on delete set null,
  reason text not null check (length(reason) between 1 and 500),
  -- The law that forbids telling the creator; null when they were told.
  untold_because text check (length(untold_because) between 1 and 500),
  opened_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > opened_at),
  closed_at timestamptz
);
create index break_glasses_admin on break_glasses (admin_id, ends_at);
create index break_glasses_creator on break_glasses (creator_id);
create index break_glasses_link on break_glasses (link_id);
create index break_glasses_report on break_glasses (report_id, opened_at);
create index break_glasses_order on break_glasses (order_id, opened_at);
create index break_glasses_opened on break_glasses (opened_at);
select wall('break_glasses');
