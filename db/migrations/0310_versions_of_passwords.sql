-- Which password a version of a link's rules asks for, so that the history tells a new one apart from one that stayed; null in
-- versions from before.
alter table link_policy_log add column password_version integer;
