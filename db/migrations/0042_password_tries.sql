-- One queue for all strangers of a link let a single one hold it shut: now each network has its own.
drop table password_queues;

-- Wrong passwords of one network on one link, counted before the password is looked at: who guesses waits, and nobody else. The
-- network is a keyed hash.
create unlogged table password_tries (
  link_id uuid not null references magic_links on delete cascade,
  network text not null,
  password_version integer not null,
  wrong integer not null,
  free_at timestamptz not null,
  primary key (link_id, network)
);
create index password_tries_free on password_tries (free_at);
select wall('password_tries');

-- Wrong passwords as the link's creator sees them, one row for each day.
create table wrong_passwords (
  link_id uuid not null references magic_links on delete cascade,
  password_version integer not null,
  day date not null,
  creator_id uuid not null references users on delete cascade,
  tries integer not null,
  last_at timestamptz not null,
  primary key (link_id, password_version, day)
);
create index wrong_passwords_creator on wrong_passwords (creator_id, last_at);
create index wrong_passwords_day on wrong_passwords (day);
select wall('wrong_passwords', 'creator_id', 'true', 'select');
