-- What the provider refused to give back is looked through for what is still owed.
create index refunds_failed on refunds (created_at) where state = 'failed';

-- A refund of a pack that was refused may be asked for again, each time under a name of its own.
alter table credit_orders add column back_tries integer not null default 0 check (back_tries >= 0);
update credit_orders set back_tries = 1 where back_state is not null;
