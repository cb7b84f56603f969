-- The secret that an account's authenticator app makes its codes from, wrapped by a master key. It counts once
-- users.two_factor says 'totp'; until then it waits for its first code.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  key_id text not null,
  wrapped bytea not null,
  -- The last half minute whose code was taken: a code is good once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);
select wall('second_factors');

-- The keyed hash of a code that stands in for a lost phone once.
create table backup_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);
select wall('backup_codes');

-- When a code of the second factor was last entered in a session.
alter table auth_sessions add column code_at timestamptz;
