-- Who of the operator's people stands behind a claim or an invitation; empty for the command line. An invitation has a note beside its label.
alter table claims add column checked_by uuid;
alter table join_tokens
  add column created_by uuid,
  add column note text not null default '' check (length(note) <= 500);
