-- What speaks for a disputed payment, as it stood when it was disputed, and what staff say about handing it in.
create table dispute_evidence (
  dispute_id uuid primary key references disputes on delete cascade,
  -- What was known, and what of it the bank is told.
  facts jsonb not null,
  fields jsonb not null,
  -- What was paid for was looked at.
  was_opened boolean not null,
  built_at timestamptz not null,
  objected_at timestamptz,
  objection text not null default '' check (length(objection) <= 500),
  -- Staff want it handed in now.
  wanted_at timestamptz,
  handed_in_at timestamptz,
  refused text
);
create index dispute_evidence_waiting on dispute_evidence (built_at) where handed_in_at is null;
select wall('dispute_evidence');
