-- What every room stands on: who is asking, how a table is walled, settings, audit, errors, limits, mail.

create function app_uid() returns uuid language sql stable parallel safe
as $$ select nullif(current_setting('app.uid', true), '')::uuid $$;

-- Walls one table: row-level security that binds the owner too, the system's policy and, with `owner`, the creator's.
-- `also` is a further condition on what a creator may write (foreign keys ignore row-level security).
create function wall(target regclass, owner name default null, also text default 'true', rights text default 'select, insert, update, delete')
returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy system on %s for all to app_system using (current_user = ''app_system'') with check (current_user = ''app_system'')', target);
  execute format('grant select, insert, update, delete on %s to app_system', target);
  if owner is not null then
    execute format('create policy own on %s for all to app_user using (%I = (select app_uid())) with check (%I = (select app_uid()) and %s)', target, owner, owner, also);
    execute format('grant %s on %s to app_user', rights, target);
  end if;
end $$;

create function touch_updated_at() returns trigger language plpgsql
as $$ begin new.updated_at := clock_timestamp(); return new; end $$;

create function refuse_change() returns trigger language plpgsql
as $$ begin raise exception 'table % is append-only', tg_table_name using errcode = '23001'; end $$;

-- Makes a walled table append-only, for its owner as well.
create function append_only(target regclass) returns void language plpgsql as $$
begin
  execute format('revoke update, delete, truncate on %s from app_system', target);
  execute format('create trigger append_only before update or delete on %s for each row execute function refuse_change()', target);
  execute format('create trigger append_only_whole before truncate on %s for each statement execute function refuse_change()', target);
end $$;

create table app_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid
);
select wall('app_settings');

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('visitor', 'viewer', 'creator', 'admin', 'system')),
  actor_id uuid,
  action text not null,
  target_type text,
  target_id uuid,
  details jsonb not null default '{}',
  request_id text
);
create index audit_log_at on audit_log (at desc);
create index audit_log_target on audit_log (target_type, target_id, at desc);
select wall('audit_log');
select append_only('audit_log');

create table error_logs (
  id uuid primary key,
  user_id uuid,
  component text not null,
  error_message text not null,
  error_stack text,
  url text,
  user_agent text,
  session_id uuid,
  severity text not null default 'error' check (severity in ('warning', 'error', 'critical')),
  created_at timestamptz not null default now()
);
create index error_logs_at on error_logs (created_at desc);
select wall('error_logs');

create unlogged table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);
select wall('rate_limits');

create table mail_outbox (
  id uuid primary key,
  user_id uuid,
  template text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'delivered', 'bounced', 'complained', 'suppressed')),
  tries integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mail_outbox_queue on mail_outbox (created_at) where state = 'queued';
create index mail_outbox_recent on mail_outbox (created_at desc);
select wall('mail_outbox');

create schema pgboss authorization app_system;
