-- Browsers that take pushes, and the one key pair by which push services know this installation.
create table push_keys (
  id uuid primary key check (id = '00000000-0000-0000-0000-000000000001'),
  public_key bytea not null check (octet_length(public_key) = 65),
  key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null
);
select wall('push_keys');

-- A subscription ends with the session in which it was made: who is signed out is told nothing more.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  session_id uuid not null references auth_sessions (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index push_subscriptions_of on push_subscriptions (user_id, created_at);
create index push_subscriptions_session on push_subscriptions (session_id);
select wall('push_subscriptions', 'user_id', 'true', 'select, delete');
