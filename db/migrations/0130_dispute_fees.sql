-- What a creator many of whose sales are disputed bears of the fee of a dispute, and how that is taken from her account.
alter table disputes
  -- Decided once, when the dispute is first known with its fee; null until then. Zero: the platform bears it.
  add column borne_cents bigint check (borne_cents >= 0),
  -- What the provider is asked to take, written before it is asked; null again once it has refused.
  add column fee_asked_cents bigint check (fee_asked_cents > 0),
  -- The provider's names of what was taken, and of what was given back once it had returned its fee.
  add column fee_payment_id text,
  add column fee_back_cents bigint check (fee_back_cents > 0),
  add column fee_back_id text,
  -- How often the provider has refused: each try after a refusal is a new one.
  add column fee_tries integer not null default 0,
  add column fee_next_try_at timestamptz;
create index disputes_borne on disputes (opened_at) where borne_cents > 0;

-- Among what a creator earned these lines are looked for by themselves.
create index ledger_transactions_dispute_fees on ledger_transactions (owner_user_id, occurred_at desc, id desc) where kind = 'dispute_fee';
