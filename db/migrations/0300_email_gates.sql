-- The address with which a viewer has passed the email gate of a link.
alter table gate_passes add column email text,
  add constraint gate_passes_email_check check ((gate = 'email') = (email is not null) and length(email) <= 254);

-- An address that was proven is one viewer's, however many browsers have proven it.
create unique index viewers_proven_email on viewers (email) where email_verified_at is not null;

-- Six digits that were mailed to an address, typed at the email gate of a link in the browser that asked for them.
create table gate_codes (
  id uuid primary key,
  link_id uuid not null references magic_links on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text not null check (length(email) <= 254),
  code_hash bytea not null check (length(code_hash) = 32),
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (link_id, browser_hash)
);
create index gate_codes_expiry on gate_codes (expires_at);
select wall('gate_codes');
