import { statement, type Tx } from '../../database/work.ts';

// As a number with a point: one that no whole number holds was kept before there was a limit.
const offsetRead = statement<{ offsetMs: number }>(
  'sandbox_clock_offset',
  'select clock_offset_ms::float8 as "offsetMs" from sandbox_settings',
);

/** By how much a developer has turned the clock. */
export async function readClockOffset(tx: Tx): Promise<number> {
  const [row] = await tx.query(offsetRead, []);
  return row?.offsetMs ?? 0;
}

const offsetKept = statement(
  'sandbox_clock_kept',
  `insert into sandbox_settings (the_one, clock_offset_ms) values (true, $1)
on conflict (the_one) do update set clock_offset_ms = excluded.clock_offset_ms`,
);

export async function keepClockOffset(tx: Tx, offsetMs: number): Promise<void> {
  await tx.query(offsetKept, [Math.round(offsetMs)]);
}

const nextDue = statement<{ at: number; what: string }>(
  'sandbox_next_due',
  `select at, what from (
  select (body->>'expires_at')::bigint as at, 'a checkout expires' as what from sandbox_objects
    where type = 'checkout.session' and body->>'status' = 'open'
  union all select (hidden->>'due_at')::bigint, case body->>'status' when 'trialing' then 'a trial ends'
      when 'past_due' then 'a payment that failed is tried again' else case when exists (select from sandbox_objects i
        where i.id = o.body->>'latest_invoice' and i.body->>'status' = 'draft' and i.body->>'automatically_finalizes_at' is not null)
      then 'the bill of a renewal is made final and charged' else 'a subscription renews or ends' end end
    from sandbox_objects o where type = 'subscription' and hidden->>'due_at' is not null
  union all select (body->>'arrival_date')::bigint, 'a payout arrives' from sandbox_objects
    where type = 'payout' and body->>'status' = 'in_transit'
  union all select (body->'evidence_details'->>'due_by')::bigint, 'the time to answer a dispute ends' from sandbox_objects
    where type = 'dispute' and body->>'status' = 'needs_response'
  union all select (hidden->>'report_at')::bigint, 'a bank reports a payment' from sandbox_objects
    where type = 'charge' and hidden->>'report_at' is not null
) due where at > $1 order by at limit 1`,
);

/** What happens next by itself. @param now seconds */
export async function findNextDue(tx: Tx, now: number): Promise<{ at: Date; what: string } | undefined> {
  const [row] = await tx.query(nextDue, [now]);
  return row && { at: new Date(row.at * 1000), what: row.what };
}
