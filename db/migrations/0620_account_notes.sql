-- What administrators write down about an account for each other. It stands in the account's own copy of its data, and on no page of its owner.
create table account_notes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  admin_id uuid references users on delete set null,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index account_notes_user on account_notes (user_id, created_at desc, id desc);
create index account_notes_admin on account_notes (admin_id);
create index account_notes_created on account_notes (created_at);
select wall('account_notes');
