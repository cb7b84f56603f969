-- What its creator did to a link, besides its rules, which have a log of their own: for the link's timeline.
create table link_acts (
  id uuid primary key,
  link_id uuid not null references magic_links on delete cascade,
  user_id uuid not null references users on delete cascade,
  act text not null check (act in ('revoked', 'revived', 'shared')),
  at timestamptz not null
);
create index link_acts_of_link on link_acts (link_id, at desc);
create index link_acts_of_creator on link_acts (user_id);
select wall('link_acts', 'user_id', 'true', 'select, insert');
insert into link_acts (id, link_id, user_id, act, at)
  select gen_random_uuid(), id, user_id, 'revoked', revoked_at from magic_links where is_revoked and revoked_at is not null;

-- How often a code was wrong at a link in a day: one that brings a viewer back, or one that was mailed.
create table wrong_codes (
  link_id uuid not null references magic_links on delete cascade,
  day date not null,
  creator_id uuid not null references users on delete cascade,
  tries integer not null check (tries > 0),
  last_at timestamptz not null,
  primary key (link_id, day)
);
create index wrong_codes_creator on wrong_codes (creator_id);
create index wrong_codes_day on wrong_codes (day);
select wall('wrong_codes', 'creator_id', 'true', 'select');
create index checkout_orders_of_link on checkout_orders (link_id, paid_at desc) where paid_at is not null;
