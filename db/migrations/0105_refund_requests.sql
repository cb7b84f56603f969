-- What a buyer asks for: money back from the creator, who has some days to answer, or from whoever runs the installation.
create table refund_requests (
  id uuid primary key,
  order_id uuid not null references checkout_orders on delete cascade,
  creator_id uuid references users on delete set null,
  -- A complaint is about access that was ended without a refund.
  kind text not null check (kind in ('refund', 'complaint')),
  reason text not null check (reason in ('duplicate', 'fraudulent', 'not_delivered', 'satisfaction', 'customer_request')),
  text text not null default '' check (length(text) <= 500),
  -- Who has to answer, or what the answer was.
  state text not null check (state in ('creator', 'operator', 'refunded', 'declined')),
  answer text not null default '' check (length(answer) <= 500),
  answered_by text check (answered_by in ('creator', 'staff', 'system')),
  created_at timestamptz not null,
  answer_until timestamptz,
  answered_at timestamptz,
  unique (order_id, kind),
  check ((answered_at is null) = (state in ('creator', 'operator')) and (answered_at is null) = (answered_by is null))
);
create index refund_requests_creator on refund_requests (creator_id, created_at desc);
create index refund_requests_waiting on refund_requests (answer_until) where state in ('creator', 'operator');
select wall('refund_requests', 'creator_id', 'true', 'select');
