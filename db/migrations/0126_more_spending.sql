-- Credits also pay for a readable address of a link, for a video that is to be made before others, and for answers of the model.
alter table credit_debits drop constraint credit_debits_what_check;
alter table credit_debits add constraint credit_debits_what_check
  check (what in ('trace', 'storage', 'address', 'priority', 'answers'));

-- How many answers of the assistant's model a creator has had this month, and how many more she has paid for.
create table assistant_answers (
  user_id uuid primary key references users on delete cascade,
  month date not null,
  used integer not null default 0 check (used >= 0),
  extra integer not null default 0 check (extra >= 0)
);
select wall('assistant_answers', 'user_id', 'true', 'select');
