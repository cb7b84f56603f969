-- People who want to recommend the place for a share of what those they bring pay. An application is stored as it came; its code
-- and its share come with its approval.
create table affiliates (
  id uuid primary key,
  email text not null check (length(email) <= 254),
  name text not null check (length(name) between 2 and 80),
  audience text not null check (length(audience) between 10 and 1000),
  state text not null default 'applied' check (state in ('applied', 'approved', 'paused', 'rejected', 'closed')),
  created_at timestamptz not null
);
create index affiliates_created on affiliates (created_at);
select wall('affiliates');
