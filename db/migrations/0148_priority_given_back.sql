-- Its last failure was a fault of ours, and what was paid to have it made sooner goes back.
alter table media add column failed_by_us boolean not null default false;

-- What was given back may be paid for again: a video that failed and is tried once more.
alter table credit_debits add column turn integer not null default 1 check (turn > 0);
alter table credit_debits drop constraint credit_debits_pkey;
alter table credit_debits add constraint credit_debits_pkey primary key (job_id, turn);
create unique index credit_debits_standing on credit_debits (job_id) where revoked_at is null;
create index credit_debits_moved on credit_debits (created_at) where what = 'priority' and revoked_at is null;
