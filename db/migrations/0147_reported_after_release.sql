-- When whoever asked reported what was delivered after it was released, which they can do once. While that waits for our answer, act_until says until when we answer.
alter table custom_requests add column reported_at timestamptz;
create index custom_requests_reported on custom_requests (act_until) where state = 'released' and act_until is not null;
