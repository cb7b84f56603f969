-- A network that guesses a link's password types on only in browsers that have proven an address: the emailed code, and how
-- many tries the proof is still worth. The address itself is not kept.
create unlogged table password_proofs (
  link_id uuid not null references magic_links on delete cascade,
  secret_hash bytea not null check (length(secret_hash) = 32),
  -- A keyed hash.
  code_hash text not null,
  code_tries integer not null,
  sent_at timestamptz not null,
  proven_at timestamptz,
  tries_left integer not null,
  primary key (link_id, secret_hash)
);
create index password_proofs_sent on password_proofs (sent_at);
select wall('password_proofs');
