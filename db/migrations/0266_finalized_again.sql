-- When the invoice of a renewal that could not be made final is tried again, apart from when its subscription is asked about.
alter table fan_subscriptions add column finalize_at timestamptz;
create index fan_subscriptions_drafted on fan_subscriptions (draft_since) where draft_since is not null;
create index platform_subscriptions_drafted on platform_subscriptions (draft_since) where draft_since is not null;
