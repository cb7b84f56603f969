-- A payment whose dispute was won lies with its creator by a transfer of its own: the provider does not take that back with a
-- refund, so it is taken back beside it, once. What is to be taken back is written down before anything is asked for.
alter table refunds add column given_transfer_id text;
alter table refunds add column given_cents bigint check (given_cents >= 0);
alter table refunds add column given_reversal_id text;
create index refunds_given on refunds (created_at) where given_transfer_id is not null and given_reversal_id is null;
