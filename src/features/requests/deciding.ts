import { ORPCError } from '@orpc/client';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { withRefusedRelease } from '#features/returns/held-payments.ts';
import type { StaffVerdict } from './desk-contract.ts';
import { type Moved, moveHeld, refusalWords, settleMoved } from './moves/moving.ts';
import { holdRequest, type RequestRow } from './store.ts';
import { shownState } from './to-api.ts';

const system = { kind: 'system' } as const;

/** What staff decide about a request, and who of them. */
export interface StaffDecision {
  verdict: StaffVerdict;
  /** Of a refund, the part that goes back; the rest is released. */
  partCents: number | undefined;
  note: string;
  actor: { type: 'system' } | { type: 'admin'; id: string };
  requestId?: string;
}

/** A decision that the request does not allow now; its message says why. */
export class DecisionRefused extends Error {}

const audited = {
  release: 'request.released',
  refund: 'request.refunded',
  decline: 'request.report_declined',
} as const;

/** Why staff can't decide so. */
const staffWords: typeof refusalWords = { ...refusalWords, state: "this isn't possible now." };

/** What the creator is being sent can't be given back before it has arrived. */
const explainPending = (row: RequestRow) => (error: unknown) => {
  if (row.sending !== 'on_way' || !(error instanceof ORPCError) || error.code !== 'CONFLICT') throw error;
  throw new DecisionRefused(
    `Request ${row.id} is ${shownState(row)}: its release is on the way. Try again once it has arrived.`,
  );
};

const decideHeld = (engines: Engines, id: string, decision: StaffDecision): Promise<Moved> =>
  engines.database.work(system, async (tx) => {
    const row = await holdRequest(tx, id);
    if (row === undefined) throw new DecisionRefused(`There is no request ${id}.`);
    const { verdict, partCents, note, actor, requestId } = decision;
    const isPart = partCents !== undefined;
    const step = { by: 'staff', do: isPart ? 'release' : verdict } as const;
    const words = { text: note, partCents };
    const done = await moveHeld(engines, tx, row, step, words).catch(explainPending(row));
    if ('ok' in done) throw new DecisionRefused(`Request ${id} is ${shownState(row)}: ${staffWords[done.because]}`);
    await insertAudit(tx, {
      actor,
      target: { type: 'request', id },
      details: { note, ...(isPart && { partCents }) },
      action: isPart ? 'request.refunded_part' : audited[verdict],
      ...(requestId !== undefined && { requestId }),
    });
    return done;
  });

/**
 * Releases or returns what is held for a request, tells both sides with the note, and asks the provider at once.
 * @param known the request as it was found
 * @throws DecisionRefused
 */
export async function decideByStaff(engines: Engines, known: RequestRow, decision: StaffDecision): Promise<void> {
  const decide = () => decideHeld(engines, known.id, decision);
  await settleMoved(
    engines,
    await (known.sending === 'waits' ? withRefusedRelease(engines, known.id, decide) : decide()),
  );
}
