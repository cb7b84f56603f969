-- What a movement changed for a creator stands with it: what she is owed, and what lies in her account at the provider. Her pages
-- add up these instead of asking of every movement whether one of its entries is hers.
alter table ledger_transactions
  add column owner_user_id uuid,
  -- What was paid for.
  add column sold text,
  add column owed_cents bigint not null default 0,
  add column held_cents bigint not null default 0;

alter table ledger_transactions disable trigger append_only;
grant update on ledger_transactions to app_system;
set local role app_system;
with sums as (
  select e.transaction_id, (array_agg(e.owner_user_id))[1] as owner_user_id,
    coalesce(-sum(e.amount_cents) filter (where a.key like 'liability:creator:%'), 0) as owed_cents,
    coalesce(sum(e.amount_cents) filter (where a.key like 'custody:%'), 0) as held_cents
  from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.owner_user_id is not null group by e.transaction_id
)
update ledger_transactions t set owner_user_id = s.owner_user_id, owed_cents = s.owed_cents, held_cents = s.held_cents,
  sold = (select o.kind from checkout_orders o where o.charge_id = t.charge_id and o.provider = t.provider and o.livemode = t.livemode limit 1)
from sums s where s.transaction_id = t.id;
reset role;
revoke update on ledger_transactions from app_system;
alter table ledger_transactions enable trigger append_only;

drop policy own on ledger_transactions;
create policy own on ledger_transactions for select to app_user using (owner_user_id = (select app_uid()));

create index ledger_transactions_owed on ledger_transactions (owner_user_id, occurred_at, id)
  include (provider, livemode, currency, kind, sold, owed_cents) where owed_cents <> 0;
create index ledger_transactions_settling on ledger_transactions (owner_user_id, available_at)
  include (provider, livemode, currency, kind, held_cents) where held_cents <> 0;
create index ledger_transactions_paid_out on ledger_transactions (owner_user_id, occurred_at desc, id desc) where kind = 'payout' and owed_cents <> 0;

-- The same by days of UTC: a year of a busy creator is some hundred rows.
create table ledger_days (
  owner_user_id uuid not null,
  provider text not null,
  livemode boolean not null,
  currency text not null,
  day date not null,
  kind text not null,
  sold text not null,
  owed_cents bigint not null,
  held_cents bigint not null,
  primary key (owner_user_id, provider, livemode, currency, day, kind, sold)
);
select wall('ledger_days', 'owner_user_id', 'true', 'select');

set local role app_system;
insert into ledger_days
select owner_user_id, provider, livemode, currency, (occurred_at at time zone 'UTC')::date, kind, coalesce(sold, ''), sum(owed_cents), sum(held_cents)
from ledger_transactions where owner_user_id is not null group by 1, 2, 3, 4, 5, 6, 7;
reset role;

create function add_to_ledger_day() returns trigger language plpgsql as $$
begin
  insert into ledger_days as d values (new.owner_user_id, new.provider, new.livemode, new.currency, (new.occurred_at at time zone 'UTC')::date,
    new.kind, coalesce(new.sold, ''), new.owed_cents, new.held_cents)
  on conflict (owner_user_id, provider, livemode, currency, day, kind, sold)
  do update set owed_cents = d.owed_cents + excluded.owed_cents, held_cents = d.held_cents + excluded.held_cents;
  return null;
end $$;
create trigger day_kept after insert on ledger_transactions
  for each row when (new.owner_user_id is not null) execute function add_to_ledger_day();

-- What stands with a movement is what its entries say.
create or replace function check_ledger_balance() returns trigger language plpgsql as $$
declare
  entries record;
begin
  select coalesce(sum(e.amount_cents), 0) as cents, count(*) as n,
    coalesce(-sum(e.amount_cents) filter (where e.owner_user_id is not null and a.key like 'liability:creator:%'), 0) as owed,
    coalesce(sum(e.amount_cents) filter (where e.owner_user_id is not null and a.key like 'custody:%'), 0) as held,
    count(*) filter (where e.owner_user_id is distinct from t.owner_user_id and e.owner_user_id is not null) as foreigners,
    t.owed_cents, t.held_cents into entries
  from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
  where e.transaction_id = new.transaction_id group by t.id;
  if entries.cents <> 0 or entries.n < 2 then
    raise exception 'ledger transaction % does not add up to zero', new.transaction_id using errcode = '23514';
  end if;
  if entries.owed <> entries.owed_cents or entries.held <> entries.held_cents or entries.foreigners > 0 then
    raise exception 'ledger transaction % says something else than its entries', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;
