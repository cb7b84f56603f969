-- Invitations: a link by which some people join without paying. Only a hash of the link's secret is kept. A place is taken when an
-- address has been confirmed, never by looking at the page.
create table join_tokens (
  id uuid primary key,
  kind text not null check (kind in ('creator_comp')),
  token_hash bytea not null unique,
  label text not null check (length(label) between 1 and 80),
  -- How long the account is free; null is for ever.
  days integer check (days in (1, 3, 7, 14, 30, 90, 180, 360)),
  max_claims integer not null check (max_claims between 1 and 100),
  claims_count integer not null default 0 check (claims_count between 0 and max_claims),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index join_tokens_expiry on join_tokens (expires_at);
select wall('join_tokens');

-- Who took a place; one for each account.
create table join_claims (
  user_id uuid primary key references users on delete cascade,
  token_id uuid not null references join_tokens on delete cascade,
  claimed_at timestamptz not null,
  ip_country text
);
create index join_claims_token on join_claims (token_id);
select wall('join_claims');

-- The invitation that a sign-up came by, until its address is confirmed.
alter table email_tokens add column join_token_id uuid references join_tokens on delete set null;
