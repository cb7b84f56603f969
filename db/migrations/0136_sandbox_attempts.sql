-- Each attempt of the built-in payment provider to deliver an event, for whoever looks at /dev.
create table sandbox_attempts (
  id bigint generated always as identity primary key,
  event_id text not null references sandbox_events (id) on delete cascade,
  at timestamptz not null,
  -- What the hook answered; 0 when nothing came back.
  status integer not null,
  error text
);
create index sandbox_attempts_of on sandbox_attempts (event_id, id desc);
select wall('sandbox_attempts');

-- What developers have switched on to see how the product copes; every process follows it.
create table sandbox_settings (
  the_one boolean primary key default true check (the_one),
  duplicates boolean not null default false,
  reorders boolean not null default false,
  delays boolean not null default false,
  drops boolean not null default false,
  answers_500 boolean not null default false
);
insert into sandbox_settings (the_one) values (true);
select wall('sandbox_settings');
