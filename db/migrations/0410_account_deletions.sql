-- An account that is deleted at its person's wish: it waits, is kept after all, or is erased step by step.
create table account_deletions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  asked_by text not null check (asked_by in ('creator', 'operator')),
  status_before text not null,
  asked_at timestamptz not null,
  -- Until then signing in keeps the account.
  erase_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'kept', 'erasing', 'done')),
  kept_at timestamptz,
  erasing_since timestamptz,
  keys_destroyed_at timestamptz,
  files_removed_at timestamptz,
  done_at timestamptz,
  -- Where the certificate goes; forgotten once it has left.
  email text check (length(email) <= 254),
  -- Which keys were destroyed, by their hashes, and when the last backup that holds them expires.
  certificate jsonb
);
create unique index account_deletions_open on account_deletions (user_id) where state in ('waiting', 'erasing');
create index account_deletions_due on account_deletions (erase_at) where state in ('waiting', 'erasing');
create index account_deletions_of on account_deletions (user_id);
select wall('account_deletions');

alter table magic_links drop constraint magic_links_revoked_reason_check;
alter table magic_links add constraint magic_links_revoked_reason_check
  check (revoked_reason in ('manual', 'panic', 'auto_security', 'admin', 'album_deleted', 'account_deleted'));

-- The steps of custom work stay as they were, but for words that an erasure takes out of them.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.text = '' and (to_jsonb(new) - 'text') = (to_jsonb(old) - 'text') then
    return new;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = '23001';
end $$;
drop trigger append_only on custom_request_events;
create trigger append_only before update or delete on custom_request_events for each row execute function refuse_change_but_erasure();
grant update (text) on custom_request_events to app_system;
