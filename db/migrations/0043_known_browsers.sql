-- Browsers in which somebody has signed in: what strangers try at an address never keeps its owner waiting in one of hers. The
-- secret is in a cookie, and here as a hash.
create table known_browsers (
  secret_hash bytea not null,
  user_id uuid not null references users on delete cascade,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (secret_hash, user_id)
);
create index known_browsers_user on known_browsers (user_id);
create index known_browsers_last on known_browsers (last_at);
select wall('known_browsers');
