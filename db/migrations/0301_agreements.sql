-- One version of a text that a creator's viewers agree to; a changed text is another row of the same family.
create table agreements (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  family_id uuid not null,
  version integer not null check (version >= 1),
  title text not null check (length(title) between 1 and 80),
  body text not null check (length(body) between 1 and 5000),
  -- Whoever agrees types their name.
  asks_name boolean not null,
  created_at timestamptz not null,
  unique (family_id, version)
);
create index agreements_user on agreements (user_id, created_at desc);
select wall('agreements', 'user_id');

-- A viewer of a link who has agreed to one version of a text, under the name that they typed.
create table agreement_acceptances (
  id uuid primary key,
  agreement_id uuid not null references agreements on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid references viewers on delete set null,
  typed_name text check (length(typed_name) between 1 and 100),
  at timestamptz not null,
  unique (link_id, viewer_id, agreement_id)
);
create index agreement_acceptances_agreement on agreement_acceptances (agreement_id);
create index agreement_acceptances_link on agreement_acceptances (link_id, at desc);
create index agreement_acceptances_viewer on agreement_acceptances (viewer_id);
create index agreement_acceptances_creator on agreement_acceptances (creator_id);
select wall('agreement_acceptances', 'creator_id');
