-- Payments that the card holder disputes with their bank, and what is moved for that.
create table disputes (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  dispute_id text not null,
  charge_id text not null,
  -- Null for what a creator paid for her own plan.
  order_id uuid references checkout_orders on delete set null,
  creator_id uuid references users on delete set null,
  viewer_id uuid references viewers on delete set null,
  status text not null,
  standing text not null check (standing in ('warning', 'open', 'won', 'lost', 'over')),
  reason text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- What the bank has of us for it just now, and what the dispute itself has cost.
  taken_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  due_by timestamptz,
  submitted_at timestamptz,
  -- What is taken back of what the creator has of the payment, and what of that the platform gives her: written before it is
  -- asked for, so that it is the same however often it is.
  transfer_id text,
  back_cents bigint check (back_cents >= 0),
  back_fee_cents bigint check (back_fee_cents between 0 and back_cents),
  reversal_id text,
  retransfer_id text,
  opened_at timestamptz not null,
  decided_at timestamptz,
  -- Everything that it moves has been moved and stands in the books.
  settled_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  unique (provider, dispute_id)
);
create index disputes_open on disputes (opened_at) where settled_at is null;
create index disputes_creator on disputes (creator_id, opened_at desc, id desc);
create index disputes_order on disputes (order_id);
create index disputes_viewer on disputes (viewer_id);
select wall('disputes', 'creator_id', 'true', 'select');

-- Somebody whose bank was asked to take a payment back.
alter table viewers add disputed_at timestamptz;
