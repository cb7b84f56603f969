-- What in the books did not agree with itself, beside what did not agree with the provider.
alter table reconciliation_runs add column faults jsonb not null default '[]';
