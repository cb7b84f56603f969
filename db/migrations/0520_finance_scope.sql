-- An administrator may also have to do with money alone: payments, disputes, payouts and what partners are paid.
alter table user_roles
  drop constraint user_roles_scopes_check,
  add constraint user_roles_scopes_check
    check (scopes <@ array['support', 'moderation', 'finance', 'owner'] and cardinality(scopes) between 1 and 4);
