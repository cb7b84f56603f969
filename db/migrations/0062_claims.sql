-- What an operator stands up for in public, by the claim's key: where it can be checked, and until when that holds.
create table claims (
  key text primary key check (length(key) <= 80),
  source text not null check (length(source) between 1 and 500),
  checked_at timestamptz not null,
  expires_at timestamptz
);
select wall('claims');
