-- When the operator was told a second time that a request waits for a decision.
alter table custom_requests add column reminded_at timestamptz;
