-- Which attempt comes next: evidence that was refused, and that of an inquiry which became a chargeback, is followed by another.
alter table disputes add column evidence_attempts integer not null default 0;

-- What answered an inquiry answers no chargeback.
with inquired as (
  delete from dispute_evidence e using disputes d where d.id = e.dispute_id and d.status = 'needs_response' and e.handed_in_at is not null
  returning e.dispute_id
)
update disputes set evidence_attempts = 1, submitted_at = null where id in (select dispute_id from inquired);
