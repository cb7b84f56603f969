-- Which processes run jobs, and when each last said so. Lost with a crash, as the processes are.
create unlogged table worker_beats (
  worker_id uuid primary key,
  began_at timestamptz not null,
  beat_at timestamptz not null
);
select wall('worker_beats');
