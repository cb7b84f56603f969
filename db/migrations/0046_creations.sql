-- What a creating call made, by the key its caller gave: whoever sends the same key again – a second tap, a retry after a lost answer –
-- gets what was made the first time. A row lives for a day.
create table creations (
  user_id uuid not null references users on delete cascade,
  key uuid not null,
  -- A keyed hash of the call and its input: one key stands for one wish.
  wish text not null,
  made_id uuid not null,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index creations_age on creations (created_at);
select wall('creations', 'user_id', 'true', 'select, insert');
