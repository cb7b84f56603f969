-- When money goes back, as it was said beside the button that paid. Of older orders nobody knows which words stood there.
alter table checkout_orders add column terms_shown text;

-- Evidence that could still be submitted claims that the words of its own day were shown with the order. It is built anew, unless
-- staff have decided about it: then it goes without that claim.
delete from dispute_evidence e using disputes d
where d.id = e.dispute_id and d.standing in ('warning', 'open') and d.submitted_at is null and e.handed_in_at is null
  and e.refused is null and e.objected_at is null and e.wanted_at is null;
update dispute_evidence e set fields = e.fields - 'refund_policy_disclosure'
  - case when e.fields ->> 'cancellation_policy_disclosure' like 'Shown on %' then 'cancellation_policy_disclosure' else '' end
from disputes d
where d.id = e.dispute_id and d.standing in ('warning', 'open') and d.submitted_at is null and e.handed_in_at is null;
