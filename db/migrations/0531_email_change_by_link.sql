-- A change of address that an administrator begins for somebody who has lost their mailbox is confirmed by a link to the new one.
alter table email_changes add column link_hash bytea unique;
