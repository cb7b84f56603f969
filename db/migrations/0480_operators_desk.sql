-- What an administrator may do: help people and see to failures, decide reports, or all of it.
alter table user_roles
  add column scopes text[] not null default '{owner}'
    check (scopes <@ array['support', 'moderation', 'owner'] and cardinality(scopes) between 1 and 3);

-- "I never got my code": the emails to one address, the newest first.
create index mail_outbox_recipient on mail_outbox (recipient, created_at desc);

-- What an administrator answered somebody who wrote to support; it goes with what was written.
create table support_answers (
  id uuid primary key,
  request_id uuid not null references support_requests on delete cascade,
  admin_id uuid references users on delete set null,
  text text not null check (length(text) <= 4000),
  created_at timestamptz not null
);
create index support_answers_request on support_answers (request_id);
create index support_answers_admin on support_answers (admin_id);
select wall('support_answers');
create index support_requests_email on support_requests (email);

create index media_failed on media (created_at desc) where state = 'failed' and deleted_at is null;
create index error_logs_request on error_logs (request_id) where request_id is not null;
