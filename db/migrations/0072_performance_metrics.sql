-- How fast pages were for administrators, as their browsers have measured it; kept for a month.
create table performance_metrics (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  metric text not null check (metric in ('LCP', 'FCP', 'CLS', 'INP', 'TTFB')),
  value double precision not null check (value >= 0),
  rating text not null check (rating in ('good', 'needs-improvement', 'poor')),
  metric_id text not null check (length(metric_id) <= 60),
  navigation_type text not null check (length(navigation_type) <= 30),
  url text not null check (length(url) <= 200),
  measured_at timestamptz not null,
  created_at timestamptz not null
);
create index performance_metrics_created on performance_metrics (created_at);
create index performance_metrics_user on performance_metrics (user_id);
select wall('performance_metrics');
