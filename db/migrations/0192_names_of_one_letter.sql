-- O and 李 are names.
alter table affiliates drop constraint affiliates_name_check, add constraint affiliates_name_check check (length(name) between 1 and 80);
