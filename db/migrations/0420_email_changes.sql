-- A change of an account's address: asked for, confirmed by a code that was mailed to the new one, and for some days undone by
-- the secret of a link that was mailed to the old one.
create table email_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  new_email text not null check (length(new_email) <= 254),
  -- Of no code at all where the new address has an account: the answer is the same.
  code_hash bytea not null,
  tries integer not null default 0,
  code_expires_at timestamptz not null,
  created_at timestamptz not null,
  -- From here on filled once the code has come.
  changed_at timestamptz,
  old_email text check (length(old_email) <= 254),
  undo_hash bytea unique,
  undo_expires_at timestamptz,
  undone_at timestamptz,
  check ((changed_at is null) = (old_email is null)),
  check ((changed_at is null) = (undo_hash is null)),
  check ((changed_at is null) = (undo_expires_at is null)),
  check (undone_at is null or changed_at is not null)
);
-- One change at a time is asked for.
create unique index email_changes_asked on email_changes (user_id) where changed_at is null;
create index email_changes_of_user on email_changes (user_id, changed_at);
-- The old address belongs to nobody else as long as the change can be undone.
create index email_changes_old on email_changes (old_email) where undone_at is null;
create index email_changes_code_expiry on email_changes (code_expires_at);
select wall('email_changes');
