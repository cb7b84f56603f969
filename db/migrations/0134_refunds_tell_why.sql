-- What exactly led to a refund, where its reason alone doesn't say it, and whether whoever paid is told of it by another email: the
-- answer to what they asked, or the end of their request or subscription. What was wished for before is told of by nothing more.
alter table refunds add column cause text
  check (cause in ('link_ended', 'viewer_ended', 'album_deleted', 'creator_left', 'suspended', 'late_payment'));
alter table refunds add column is_told boolean not null default true;
alter table refunds alter column is_told set default false;
