-- What people write to whoever runs this installation.
create table support_requests (
  id uuid primary key,
  -- What both sides call it by; drawn, so that it does not tell how many there are.
  number integer not null unique check (number between 10000000 and 99999999),
  name text not null check (length(name) <= 80),
  email text not null check (length(email) <= 254),
  subject text not null check (length(subject) <= 120),
  message text not null check (length(message) <= 4000),
  user_id uuid references users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'open', 'answered', 'closed')),
  created_at timestamptz not null,
  -- When its number was mailed; left out where that address had one a short while before.
  acknowledged_at timestamptz
);
create index support_requests_at on support_requests (created_at);
create index support_requests_of on support_requests (user_id);
create index support_requests_acknowledged on support_requests (email, acknowledged_at) where acknowledged_at is not null;
select wall('support_requests');
-- The request that an error of a page belongs to, as the log of the server knows it.
alter table error_logs add column request_id text check (length(request_id) <= 100);
