-- Who is shown in an album is said by its creator before its first link. Albums of before were made as the creator's alone, which
-- stays so; their page asks once.
alter table albums add people_said_at timestamptz;
update albums set people_consent = 'only_me' where people_consent is null;
grant update (people_said_at) on albums to app_user;

-- A person who is shown in an album beside its creator, and whether they agree to that. The row is the proof of it: who was asked
-- when, what they typed and agreed to, and when they took it back.
create table co_performers (
  id uuid primary key,
  -- Null once the album is gone: the proof outlives it.
  album_id uuid references albums on delete set null,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) <= 80),
  -- Null once nobody needs to write to them any more.
  email text check (length(email) <= 254),
  -- Keyed: by it an address is recognised that is not kept.
  email_hash text not null,
  consent_state text not null check (consent_state in ('requested', 'given', 'refused', 'withdrawn')),
  -- Of the secret in the mailed address.
  token_hash bytea not null unique,
  requested_at timestamptz not null,
  -- When the state was reached.
  at timestamptz not null,
  -- Filled when consent is given, and kept when it is withdrawn.
  given_at timestamptz,
  typed_name text check (length(typed_name) <= 80),
  country text check (length(country) = 2),
  agreed_words text,
  agreed_version text,
  agreed_items integer,
  -- The creator says that no picture of this person is in the album any more; after a withdrawal somebody looks.
  pictures_gone_at timestamptz,
  -- The person is none of the album's any more, or the album is gone.
  ended_at timestamptz,
  check (given_at is null or (typed_name is not null and agreed_words is not null)),
  check (given_at is not null or consent_state in ('requested', 'refused'))
);
create unique index co_performers_once on co_performers (album_id, email_hash) where ended_at is null;
create index co_performers_album on co_performers (album_id);
create index co_performers_user on co_performers (user_id, requested_at);
create index co_performers_ended on co_performers (ended_at) where ended_at is not null;
create index co_performers_to_look_at on co_performers (pictures_gone_at) where consent_state = 'withdrawn' and ended_at is null;
create index co_performers_withdrawn on co_performers (at) where consent_state = 'withdrawn' and ended_at is null;
select wall('co_performers', 'user_id');

-- Addresses that a creator may not ask any more, as keyed hashes: "this is not me".
create table consent_stops (
  user_id uuid not null references users on delete cascade,
  email_hash text not null,
  at timestamptz not null,
  primary key (user_id, email_hash)
);
select wall('consent_stops');

-- What the consents of those who are shown in an album lack: somebody has not agreed, or has taken it back.
create function read_consent_gap(album uuid) returns text language plpgsql stable as $$
begin
  return (select case
      when bool_or(p.consent_state = 'withdrawn') then 'withdrawn'
      when count(*) = 0 or bool_or(p.consent_state <> 'given') then 'missing' end
    from co_performers p where p.album_id = album and p.ended_at is null);
end $$;

-- Why an album may not be seen by others: that, or nobody has said who is shown; null where everybody has agreed. Asked with each
-- decision: this one is inlined, so an album of its creator alone calls nothing, and the plan of the other is kept.
create function consent_gap(album uuid, said text) returns text language sql stable as $$
  select case said when 'only_me' then null when 'others_with_consent' then read_consent_gap(album) else 'unsaid' end
$$;
