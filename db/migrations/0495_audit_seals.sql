-- Seals over the audit log, each of which holds the one before it: an entry that is changed, taken out or put between is found.
-- They stay when the months that they are over are forgotten.
create table audit_seals (
  n bigint primary key,
  -- Of all its entries, in UTC: a month is forgotten whole.
  month date not null,
  ids int8multirange not null,
  entries integer not null,
  rows_hash bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null
);
create index audit_seals_last on audit_seals (upper(ids));
select wall('audit_seals');
select append_only('audit_seals');

-- One entry as text that is the same on every server.
create function audit_entry_text(entry audit_log) returns text stable language sql as $$
  select jsonb_build_array(
    entry.id, to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor_type, entry.actor_id, entry.action,
    entry.target_type, entry.target_id, entry.details, entry.request_id
  )::text
$$;

create table audit_checks (
  id uuid primary key,
  began_at timestamptz not null,
  ended_at timestamptz,
  seals bigint not null default 0,
  entries bigint not null default 0,
  -- What is wrong, in words; null while nothing was found.
  fault text check (length(fault) <= 500)
);
create index audit_checks_began on audit_checks (began_at desc);
select wall('audit_checks');

create index audit_log_request on audit_log (request_id);
create index audit_log_target_id on audit_log (target_id, id desc);
