-- An address that asked to be mailed once when a link begins, proven by a code in the browser that asked. A row goes with its email,
-- with a tap in that browser, when the link will not open any more, and a week after the link was to open.
create table link_reminders (
  id uuid primary key,
  link_id uuid not null references magic_links on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text not null check (length(email) <= 254),
  -- When the link begins, as it was decided last, and when that is decided anew.
  opens_at timestamptz not null,
  look_at timestamptz not null,
  created_at timestamptz not null,
  unique (link_id, email)
);
create index link_reminders_due on link_reminders (look_at);
create index link_reminders_browser on link_reminders (link_id, browser_hash);
select wall('link_reminders');
