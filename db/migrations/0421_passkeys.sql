-- A passkey that signs an account in: its public key, and what was last seen of it. It counts as the second factor, because it
-- asks its person for a PIN, a finger or a face.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  counter bigint not null,
  name text not null check (length(name) <= 40),
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the newest challenge was made that it has answered: an answer counts once.
  last_challenge_at timestamptz not null
);
create index passkeys_of_user on passkeys (user_id, created_at);
select wall('passkeys');
