-- Which browser may use what confirms the address of a checkout, should its payer never come back to ask for it.
alter table plan_checkouts add column asking_hash bytea;
create index plan_checkouts_unmailed on plan_checkouts (created_at) where state = 'complete' and user_id is null and mailed_at is null;
