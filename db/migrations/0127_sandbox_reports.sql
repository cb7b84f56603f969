-- Payments that a card's bank is about to report to the sandbox as possible fraud.
create index sandbox_objects_reported on sandbox_objects (((hidden->>'report_at')::bigint)) where type = 'charge' and hidden->>'report_at' is not null;
