-- Payments that a card's bank has reported as possible fraud before anybody disputed them, and what was done about it.
create table fraud_warnings (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  warning_id text not null,
  charge_id text not null,
  fraud_type text not null,
  warned_at timestamptz not null,
  -- It was decided that all of the payment goes back; what is paid again and again ends with that.
  returned_at timestamptz,
  -- Nothing is left to be done.
  settled_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null,
  unique (provider, warning_id)
);
create index fraud_warnings_open on fraud_warnings (warned_at) where settled_at is null;
create index fraud_warnings_charge on fraud_warnings (charge_id);
select wall('fraud_warnings');

create index credit_orders_charge on credit_orders (charge_id);
