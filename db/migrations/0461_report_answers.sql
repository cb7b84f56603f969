-- What a creator says about a report of their content: an answer before it is decided, an appeal or a counter-notice after it.
create table report_answers (
  id uuid primary key,
  report_id uuid not null references reports on delete cascade,
  creator_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('answer', 'appeal', 'counter_notice')),
  text text not null check (length(text) <= 4000),
  -- Of a counter-notice only: who makes it, and where they can be reached.
  name text check (length(name) <= 80),
  postal_address text check (length(postal_address) <= 500),
  created_at timestamptz not null,
  -- Of an appeal or a counter-notice.
  decide_by timestamptz,
  decided_at timestamptz,
  outcome text check (outcome in ('kept', 'restored')),
  reason text check (length(reason) <= 1000),
  decided_by text check (length(decided_by) <= 80),
  unique (report_id, kind),
  check ((decided_at is null) = (outcome is null)),
  check ((kind = 'counter_notice') = (postal_address is not null)),
  check (kind = 'answer' or decide_by is not null)
);
create index report_answers_waiting on report_answers (decide_by) where decided_at is null and decide_by is not null;
create index report_answers_creator on report_answers (creator_id);
select wall('report_answers');

alter table reports
  -- Who decided, as they call themselves: an appeal is somebody else's.
  add column decided_by text check (length(decided_by) <= 80),
  -- The operator was reminded that the time is nearly over, and that it is over.
  add column reminded_at timestamptz,
  add column overdue_at timestamptz,
  -- It was hidden by itself when the report arrived.
  add column hidden_at_once boolean not null default false,
  drop constraint reports_state_check,
  drop constraint reports_check,
  add constraint reports_state_check check (state in ('received', 'hidden', 'removed', 'rejected', 'appealed')),
  add constraint reports_check check ((decided_at is not null) = (state in ('removed', 'rejected', 'appealed')));
update reports set hidden_at_once = true where state = 'hidden';
-- A creator's own list.
create index reports_of_creator on reports (creator_id, created_at desc) where creator_id is not null;
