import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { openStripeHosts, type StripeHosts } from '#tests/support/stripe-frame/stripe-hosts.ts';
import { guards, isFull, printProof } from '../counts.ts';
import { knownDifferences } from './known-differences.ts';
import { withLists } from './lists.ts';
import { refuseLive } from './preflight.ts';
import { openSandboxSide } from './sandbox-side.ts';
import type { Side } from './side.ts';
import { type Call, openStandIn, type StandIn } from './stand-in/server.ts';
import type { Fault } from './stand-in/world.ts';
import { compare, judge, type Outcome, printVerdict, tryStep, type Verdict } from './step.ts';
import { steps } from './steps.ts';
import { openStripeSide } from './stripe-side.ts';

guards(
  'src/engines/payments/**',
  'tests/proofs/stripe/**',
  'tests/support/money/provider.ts',
  'tests/support/stripe-frame/**',
  'src/app/server/frame-page.ts',
  'src/features/accounts/provider-frame.ts',
);

const key = process.env.STRIPE_SECRET_KEY;
const run = `proof-${Date.now().toString(36)}`;
const check = openExchangeCheck();
let calls = 0;
const verdicts: Verdict[] = [];
const sandboxOutcomes = new Map<string, Outcome>();
let ours: Side;
let theirs: Side;
let standIn: StandIn | undefined;
let hosts: StripeHosts | undefined;

const isSeen = ({ step, fact }: { step: string; fact: string }): boolean =>
  verdicts.some((one) => one.step === step && one.lines.some((line) => line.startsWith(`${fact}: `)));

async function openStandInSide(
  faults: readonly Fault[],
  { onCall, flag }: { onCall?: (call: Call) => void; flag?: string } = {},
): Promise<[Side, StandIn]> {
  const server = await openStandIn({ faults, ...(onCall && { onCall }) });
  const { host, port, secretKey } = server;
  const onboard = async (accountId: string) => {
    await fetch(`http://${host}:${port}/onboard/${accountId}`, { method: 'POST' });
  };
  const frame = flag === undefined ? undefined : { publishableKey: 'pk_test_standin', flags: [flag] };
  return [openStripeSide({ name: 'the stand-in', secretKey, host: { host, port }, onboard, frame }, run), server];
}

beforeAll(async () => {
  ours = await openSandboxSide(run);
  if (key !== undefined) {
    refuseLive(key);
    const accountId = process.env.STRIPE_PROOF_ACCOUNT;
    const publishableKey = process.env.STRIPE_PUBLISHABLE_KEY;
    const frame = publishableKey === undefined ? undefined : { publishableKey, flags: [] };
    theirs = openStripeSide({ name: 'Stripe in test mode', secretKey: key, accountId, frame }, run);
    return;
  }
  hosts = await openStripeHosts();
  [theirs, standIn] = await openStandInSide([], {
    flag: hosts.flag,
    onCall(call) {
      calls += 1;
      check.receive({ ...call, params: withLists(call.params) } as Parameters<typeof check.receive>[0]);
    },
  });
});

afterAll(async () => {
  await Promise.all([ours?.close(), theirs?.close(), standIn?.close(), hosts?.close()]);
  if (!isFull) return;
  const where =
    key === undefined
      ? 'STRIPE_SECRET_KEY is not set: the sandbox was compared with the second stand-in, and nothing was tried against Stripe.'
      : `The sandbox was compared with ${theirs?.name}.`;
  process.stdout.write(`${where}\n${verdicts.map(printVerdict).join('\n')}\n`);
  for (const { step, fact } of knownDifferences.filter((one) => !isSeen(one)))
    process.stdout.write(`No longer different, so it need not stand in known-differences.ts: ${step}: ${fact}\n`);
  const count = (kind: Verdict['kind']) => verdicts.filter((one) => one.kind === kind).length;
  printProof('stripe', calls, {
    steps: verdicts.length,
    same: count('same'),
    known: count('known'),
    differ: count('differs'),
    not_tried: count('not_tried'),
    failed: count('failed'),
  });
});

describe('the sandbox and Stripe do the same:', () => {
  for (const step of steps)
    it(step.name, async () => {
      const compared = await compare(step, { ours, theirs }, knownDifferences);
      sandboxOutcomes.set(step.name, compared.ours);
      verdicts.push(compared.verdict);
      const { kind, lines } = compared.verdict;
      expect(lines.filter(() => kind === 'differs' || kind === 'failed')).toEqual([]);
      if (key === undefined) expect(kind, lines.join()).not.toBe('not_tried');
    });
});

it.skipIf(key !== undefined)('the stand-in speaks as the types of the library say', () => {
  // What people and the dashboard ask for is asked by the library's own types.
  expect([...new Set(check.faults.filter((fault) => !fault.endsWith('no shape is known')))]).toEqual([]);
  expect(check.asked.size).toBeGreaterThan(25);
});

describe.skipIf(key !== undefined)('a stand-in that does wrong is found:', () => {
  /** Which steps are red against it. */
  async function redOf(fault: Fault): Promise<string[]> {
    const [side, server] = await openStandInSide([fault]);
    const red: string[] = [];
    for (const step of steps) {
      const before = sandboxOutcomes.get(step.name);
      const { kind } = judge(step, before ?? { kind: 'failed', error: 0 }, await tryStep(step, side), knownDifferences);
      if (kind === 'differs' || kind === 'failed') red.push(step.name);
    }
    await side.close();
    await server.close();
    return red;
  }

  it('a fee that is a cent too high', async () => {
    expect(await redOf('fee_too_high')).toContain('a tip that is paid');
  });

  it('a line of the books too many', async () => {
    expect(await redOf('line_too_many')).toContain('a tip that is paid');
  });

  it('a second refund that is refused', async () => {
    expect(await redOf('refuses_second_refund')).toContain(
      'a tip that is given back in three parts, one from the dashboard',
    );
  });

  it('a key that may not look at disputes', async () => {
    expect(await redOf('no_permission')).toContain('the key, its permissions, the portal and the schedule of payouts');
  });

  it('keys that are forgotten', async () => {
    expect(await redOf('forgets_keys')).toContain('a checkout of a tip');
  });
});
