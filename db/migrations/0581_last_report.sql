-- By which an open screen's report that comes once more, because its answer was lost, is known again.
alter table viewer_sessions add column last_report text check (length(last_report) between 1 and 40);
