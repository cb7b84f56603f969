-- The audit log is kept for 24 whole months. What is older may be deleted, and nothing else: whoever takes an entry out of what is
-- kept is refused by the table itself.
create function refuse_change_but_forgetting() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and old.at < (date_trunc('month', now() at time zone 'utc') - interval '24 months') at time zone 'utc' then
    return old;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = '23001';
end $$;
drop trigger append_only on audit_log;
create trigger append_only before update or delete on audit_log for each row execute function refuse_change_but_forgetting();
grant delete on audit_log to app_system;
