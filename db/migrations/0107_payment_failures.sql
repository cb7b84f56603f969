-- Cards that were declined, to see who tries out cards that are not theirs. Kept for some weeks.
create table payment_failures (
  provider text not null,
  livemode boolean not null,
  charge_id text not null,
  order_id uuid not null references checkout_orders on delete cascade,
  link_id uuid references magic_links on delete cascade,
  viewer_id uuid references viewers on delete cascade,
  -- The provider's own hash of the card; no part of its number.
  card text,
  at timestamptz not null,
  primary key (provider, charge_id)
);
create index payment_failures_order on payment_failures (order_id);
create index payment_failures_viewer on payment_failures (viewer_id, at desc);
create index payment_failures_link on payment_failures (link_id, at desc);
create index payment_failures_at on payment_failures (at);
select wall('payment_failures');
