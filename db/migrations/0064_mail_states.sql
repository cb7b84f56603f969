-- What became of an email after it left, and which addresses get no notices any more.
alter table mail_outbox
  -- What the email is made of, for its HTML; it goes with the text.
  add column parts jsonb,
  add column kind text not null default 'account' check (kind in ('account', 'notice'));

-- Kept by a keyed hash: the list tells nobody's address.
create table mail_suppressions (
  address_hash bytea not null,
  reason text not null check (reason in ('bounced', 'complained', 'unsubscribed')),
  at timestamptz not null,
  primary key (address_hash, reason)
);
select wall('mail_suppressions');
