-- A pause that was begun at the provider itself may have no end: that a plan is paused is one thing, until when is another.
alter table users add column plan_is_paused boolean not null default false;

update users u set plan_is_paused = true where u.subscription_status = 'inactive' and exists (select from platform_subscriptions p
  where p.user_id = u.id and p.status in ('trialing', 'active', 'past_due') and p.is_paused and coalesce(p.paused_from <= now(), true));
