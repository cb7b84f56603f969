-- What was paid to move a video goes back once it is deleted for good. Of one that had been deleted before it did, nothing goes back.
alter table credit_debits add column outlives_deletion boolean not null default false;
set local role app_system;
update credit_debits d set outlives_deletion = true from media m
where m.id = d.job_id and d.what = 'priority' and d.revoked_at is null and m.deleted_at is not null;
reset role;
