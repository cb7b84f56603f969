-- Programs that say what they are and open a link all the same: refused, and one row for each link and day. They get no visit,
-- no grant and no key.
create table robot_opens (
  link_id uuid not null references magic_links on delete cascade,
  day date not null,
  creator_id uuid not null references users on delete cascade,
  opens integer not null,
  last_at timestamptz not null,
  primary key (link_id, day)
);
create index robot_opens_creator on robot_opens (creator_id, last_at);
create index robot_opens_day on robot_opens (day);
select wall('robot_opens', 'creator_id', 'true', 'select');

-- No source of this house tells a data centre's address from a home's, so no visit was ever called that.
alter table viewer_sessions drop constraint viewer_sessions_suspect_reason_check;
alter table viewer_sessions add constraint viewer_sessions_suspect_reason_check check (suspect_reason in ('own', 'automation', 'admin'));
