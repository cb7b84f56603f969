-- A queue whose jobs wait until somebody lets them go on. Every process that runs jobs reads it.
create table paused_queues (
  queue text primary key check (length(queue) between 1 and 100),
  -- The administrator; null for the command line.
  paused_by uuid references users on delete set null,
  paused_at timestamptz not null default now()
);
create index paused_queues_by on paused_queues (paused_by);
select wall('paused_queues');

-- How often a procedure, a route or a queue was called in ten minutes, and how long it took. Lost with a crash, which nobody misses.
create unlogged table call_figures (
  slot timestamptz not null,
  kind text not null check (kind in ('procedure', 'route', 'job')),
  name text not null check (length(name) between 1 and 200),
  calls integer not null,
  errors integer not null,
  -- How many of them took how long, by kit/latency-buckets.
  buckets integer[] not null,
  primary key (slot, kind, name)
);
select wall('call_figures');
