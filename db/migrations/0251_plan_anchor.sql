-- The day by which a plan is billed: one that began on the 31st is billed on the 28th of February and on the 31st of March.
alter table platform_subscriptions add column anchored_at timestamptz;
