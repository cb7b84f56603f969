-- A creator without access: since when, what she has been told of it, and when her media went. It ends when she has access again.
create table lapses (
  user_id uuid primary key references users on delete cascade,
  since timestamptz not null,
  -- How many of the emails have been sent.
  told smallint not null default 0 check (told between 0 and 4),
  -- When the last of them went: a week later nothing is kept any more.
  warned_at timestamptz,
  removed_at timestamptz
);
select wall('lapses');
