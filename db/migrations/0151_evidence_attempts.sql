-- How often evidence for a dispute was asked for anew: after it was refused, and once an inquiry has become a chargeback.
alter table disputes add column evidence_attempts integer not null default 0;
