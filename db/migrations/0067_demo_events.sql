-- How far people get in the story of /demo: one row for its start and one for each scene, of nobody in particular.
create table demo_events (
  id uuid primary key,
  path text not null check (length(path) <= 200),
  meta jsonb not null,
  created_at timestamptz not null
);
create index demo_events_created on demo_events (created_at);
select wall('demo_events');
