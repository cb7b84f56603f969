import { heldTerms } from '#features/notices/refund-promise.ts';
import { listEmails } from '#features/notices/store.ts';
import { hourMs } from '#kit/time.ts';
import type { Caller } from './caller.ts';
import type { Past } from './demo-past.ts';
import { ago, type Person, person } from './demo-people.ts';
import { payUntil, testCard, type Visitors } from './demo-visitors.ts';

/** How far a request of the week has come. */
const ends = ['requested', 'quoted', 'paid', 'delivered', 'revision_requested', 'problem'] as const;
type End = (typeof ends)[number];

interface PlannedRequest {
  who: Person;
  email: string;
  title: string;
  brief: string;
  quantity: number;
  cents: number;
  end: End;
  /** Before the week's end. */
  agoMs: number;
}

const asked = (
  [name, place]: [name: string, place: Parameters<typeof person>[1]],
  [quantity, dollars]: [quantity: number, dollars: number],
): Pick<PlannedRequest, 'who' | 'email' | 'quantity' | 'cents'> => ({
  who: person(name, place, 'safari'),
  email: `${name.toLowerCase()}@example.com`,
  quantity,
  cents: dollars * 100,
});

/**
 * What was asked for, one in each state that is not over, oldest first. Nothing of it has run out by now: the clock of the
 * installation goes on beside the story, and ends what has.
 */
export const requestsOfWeek: readonly PlannedRequest[] = [
  {
    ...asked(['Paolo', 'IT'], [3, 30]),
    title: 'Rain on a window',
    brief: 'Grey light, no people. As large as you can.',
    end: 'problem',
    agoMs: ago(1, 16),
  },
  {
    ...asked(['Vera', 'CH'], [4, 45]),
    title: 'Linen in the sun',
    brief: 'Folds of linen in late light. Warm colors, please.',
    end: 'revision_requested',
    agoMs: ago(1, 14),
  },
  {
    ...asked(['Leon', 'DE'], [5, 60]),
    title: 'The harbor at night',
    brief: 'Lights on the water, from far away.',
    end: 'delivered',
    agoMs: ago(1, 10),
  },
  {
    ...asked(['Chloe', 'FR'], [10, 80]),
    title: 'Ten photos of the dunes',
    brief: 'At dusk, like the third one in Golden hour.',
    end: 'paid',
    agoMs: ago(1, 6),
  },
  {
    ...asked(['Amir', 'CA'], [2, 25]),
    title: 'Petals, very close',
    brief: 'One red, one white.',
    end: 'quoted',
    agoMs: ago(0, 20),
  },
  {
    ...asked(['Hana', 'JP'], [1, 20]),
    title: 'A lamp in the window',
    brief: 'Seen from the street, in the evening.',
    end: 'requested',
    agoMs: ago(0, 7),
  },
];

/** Whom the week's requests are asked of, and who stands where. */
interface Desk {
  past: Past;
  visitors: Visitors;
  /** The creator at a moment. */
  at: (agoMs: number) => Caller;
  endMs: number;
  handle: string;
  /** What is delivered. */
  albumId: string;
}

/** Lets people ask for custom work, and the creator answer it. What was asked for already is not asked for again. */
export async function letFansAsk(desk: Desk, signal: AbortSignal | undefined): Promise<void> {
  const caller = desk.at(ago(7, 9));
  // They ask on their own page.
  await caller.accounts.setPublicPage({ isOn: true });
  const creator = caller.requests;
  await creator.changeSettings({
    isOn: true,
    leastCents: 2000,
    priceList: [{ title: 'Five photos, your idea', cents: 5000 }],
    days: 10,
    wontDo: 'No faces.',
    mostOpen: 10,
  });
  const { rows } = await creator.list({ filter: 'open' });
  for (const planned of requestsOfWeek.filter(({ title }) => !rows.some((row) => row.title === title))) {
    signal?.throwIfAborted();
    await askFor(planned, desk);
  }
}

async function askFor({ who, email, agoMs, end, cents, ...params }: PlannedRequest, desk: Desk): Promise<void> {
  const { past, visitors, at, endMs, handle, albumId } = desk;
  const call = (afterMs: number, procedure: string, input: object) =>
    visitors.call(who, new Date(endMs - agoMs + afterMs), `requests/${procedure}`, input);
  await call(0, 'mailCode', { handle, email });
  const emailCode = await readCode(past, email);
  const requested = { ...params, handle, kind: 'photo', offeredCents: cents, emailCode };
  const code = String((await call(0, 'ask', requested)).code);
  const requestId = code.split('.')[0] ?? '';
  const isPast = (state: End) => ends.indexOf(end) >= ends.indexOf(state);
  if (isPast('quoted')) await at(agoMs - hourMs).requests.accept({ requestId, days: 10 });
  if (isPast('paid')) {
    await payUntil('paid', async () => {
      const { url } = await call(2 * hourMs, 'pay', { code, amountCents: cents, shownTerms: heldTerms });
      const sessionId = String(url).split('/').at(-1) ?? '';
      await past.engines.sandbox?.pay(sessionId, { email, card: testCard });
      return (await call(2 * hourMs, 'paid', { sessionId })).state;
    });
  }
  if (isPast('delivered'))
    await at(agoMs - 12 * hourMs).requests.deliver({ requestId, albumId, text: 'Here you are.' });
  if (end === 'revision_requested')
    await call(20 * hourMs, 'say', { code, what: 'revise', text: 'Could the first one be a little warmer?' });
  if (end === 'problem')
    await call(20 * hourMs, 'say', { code, what: 'complain', text: 'These are not the photos that I asked for.' });
}

/** The newest code that was mailed to an address. */
async function readCode({ engines }: Past, email: string): Promise<string> {
  const emails = await engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
  const code = /^[ \t]*(\d{6})$/m.exec(emails.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (code === undefined) throw new Error(`There is no code in the email to ${email}.`);
  return code;
}
