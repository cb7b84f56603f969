-- What somebody wrote to support once more, by the link in an email that answered them.
create table support_replies (
  id uuid primary key,
  request_id uuid not null references support_requests on delete cascade,
  text text not null check (length(text) <= 4000),
  created_at timestamptz not null
);
create index support_replies_request on support_replies (request_id, created_at);
select wall('support_replies');
