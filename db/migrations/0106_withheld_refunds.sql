-- Payments that are not given back though their creator ended access early: whoever paid broke the rules, and there is a trace of it.
-- They may complain, and whoever runs the installation decides.
create table withheld_refunds (
  order_id uuid primary key references checkout_orders on delete cascade,
  creator_id uuid references users on delete set null,
  link_id uuid references magic_links on delete set null,
  trace_id uuid references traces on delete set null,
  reason text not null check (length(reason) between 1 and 500),
  at timestamptz not null
);
create index withheld_refunds_creator on withheld_refunds (creator_id);
create index withheld_refunds_link on withheld_refunds (link_id);
create index withheld_refunds_trace on withheld_refunds (trace_id);
select wall('withheld_refunds', 'creator_id', 'true', 'select');
