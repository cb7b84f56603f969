-- An email is tried until what it carries has expired, by the clock of the database as its jobs; then it is given up, which stays to be
-- seen until an operator has sent it again or looked at it. What waited or was sent before keeps the life of a receipt.
alter table mail_outbox
  add column life_seconds integer not null default 432000 check (life_seconds > 0),
  add column expires_at timestamptz not null default now() + interval '5 days',
  add column next_try_at timestamptz not null default now(),
  add column is_seen boolean not null default false,
  drop constraint mail_outbox_state_check,
  add constraint mail_outbox_state_check
    check (state in ('queued', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'given_up'));
drop index mail_outbox_queue;
create index mail_outbox_queue on mail_outbox (next_try_at) where state = 'queued';
create index mail_outbox_given_up on mail_outbox (expires_at) where state = 'given_up' and not is_seen;
