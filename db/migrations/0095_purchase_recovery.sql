-- A mailed link proves an address that something was paid with. Only its hash is kept, and it works once.
create table buyer_recovery_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  buyer_id uuid not null references buyers on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index buyer_recovery_tokens_buyer on buyer_recovery_tokens (buyer_id);
create index buyer_recovery_tokens_expires on buyer_recovery_tokens (expires_at);
select wall('buyer_recovery_tokens');

-- A browser, by the hash of its viewer's cookie, that has proven a buyer's address.
create table buyer_browsers (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  buyer_id uuid not null references buyers on delete cascade,
  -- It is one of its viewer's devices by this proof alone: what that viewer paid for with another address is not shown in it.
  is_joined boolean not null,
  at timestamptz not null
);
create index buyer_browsers_buyer on buyer_browsers (buyer_id);
create index buyer_browsers_at on buyer_browsers (at);
select wall('buyer_browsers');
