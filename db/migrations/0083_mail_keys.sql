-- The keys under which addresses that get no notices are known, and by which unsubscribe links are signed. They are kept wrapped,
-- so that they stay the same when the master key is replaced.
create table mail_keys (
  id uuid primary key,
  used_for text not null check (used_for in ('suppressed', 'unsubscribe')),
  key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
select wall('mail_keys');

-- The unsubscribe links of these emails name the email and not what they suppress: as long as their account is there, they stay.
alter table mail_outbox add column is_named_by_link boolean not null default false;
set local role app_system;
update mail_outbox set is_named_by_link = true where kind = 'notice';
reset role;
