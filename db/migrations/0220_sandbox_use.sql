-- Since when an installation has been a sandbox, until its operator retires what was made there: its accounts and codes are no
-- secrets, and nothing was paid. At most one row.
create table sandbox_use (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null
);
select wall('sandbox_use');
-- A folder from before is recognised by what only a sandbox leaves behind; one that went on to take real money, by its demo accounts.
insert into sandbox_use (since)
select now() where exists (select from users where email in ('creator@example.com', 'admin@example.com'))
  or (exists (select from sandbox_objects) and not exists (select from checkout_orders where livemode)
    and not exists (select from platform_subscriptions where livemode));
