import { listEmails } from '#features/notices/store.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { Caller } from './caller.ts';
import type { Past } from './demo-past.ts';
import { ago, type Person, person } from './demo-people.ts';
import type { Visitors } from './demo-visitors.ts';

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

const asker = (name: string, place: Parameters<typeof person>[1]) => ({
  who: person(name, place, 'safari'),
  email: `${name.toLowerCase()}@example.com`,
});

/** What was asked for, one in each state that is not over, oldest first. */
export const requestsOfWeek: readonly PlannedRequest[] = [
  {
    ...{ ...asker('Paolo', 'IT'), title: 'Rain on a window', quantity: 3, cents: 3000, end: 'problem', agoMs: ago(6) },
    brief: 'Grey light, no people. As large as you can.',
  },
  {
    ...{ ...asker('Vera', 'CH'), title: 'Linen in the sun', quantity: 4, cents: 4500, end: 'revision_requested' },
    ...{ agoMs: ago(5, 4), brief: 'Folds of linen in late light. Warm colors, please.' },
  },
  {
    ...{ ...asker('Leon', 'DE'), title: 'The harbor at night', quantity: 5, cents: 6000, end: 'delivered' },
    ...{ agoMs: ago(4, 2), brief: 'Lights on the water, from far away.' },
  },
  {
    ...{ ...asker('Chloe', 'FR'), title: 'Ten photos of the dunes', quantity: 10, cents: 8000, end: 'paid' },
    ...{ agoMs: ago(3, 3), brief: 'At dusk, like the third one in Golden hour.' },
  },
  {
    ...{ ...asker('Amir', 'CA'), title: 'Petals, very close', quantity: 2, cents: 2500, end: 'quoted' },
    ...{ agoMs: ago(1, 8), brief: 'One red, one white.' },
  },
  {
    ...{ ...asker('Hana', 'JP'), title: 'A lamp in the window', quantity: 1, cents: 2000, end: 'requested' },
    ...{ agoMs: ago(0, 7), brief: 'Seen from the street, in the evening.' },
  },
];

const testCard = '4242424242424242';

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
  // They ask on her own page.
  await caller.accounts.setPublicPage({ isOn: true });
  const creator = caller.requests;
  await creator.changeSettings({
    isOn: true,
    leastCents: 2000,
    priceList: [{ title: 'Five photos, your motif', cents: 5000 }],
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

async function askFor({ who, email, agoMs, end, cents, ...wish }: PlannedRequest, desk: Desk): Promise<void> {
  const { past, visitors, at, endMs, handle, albumId } = desk;
  const call = (afterMs: number, procedure: string, input: object) =>
    visitors.call(who, new Date(endMs - agoMs + afterMs), `requests/${procedure}`, input);
  await call(0, 'mailCode', { handle, email });
  const emailCode = await readCode(past, email);
  const asked = { ...wish, handle, kind: 'photo', offeredCents: cents, emailCode };
  const code = String((await call(0, 'ask', asked)).code);
  const requestId = code.split('.')[0] ?? '';
  const isPast = (state: End) => ends.indexOf(end) >= ends.indexOf(state);
  if (isPast('quoted')) await at(agoMs - 3 * hourMs).requests.accept({ requestId, days: 10 });
  if (isPast('paid')) {
    const { url } = await call(5 * hourMs, 'pay', { code, amountCents: cents });
    const sessionId = String(url).split('/').at(-1) ?? '';
    await past.engines.sandbox?.pay(sessionId, { email, card: testCard });
    await call(5 * hourMs, 'paid', { sessionId });
  }
  if (isPast('delivered')) await at(agoMs - 3 * dayMs).requests.deliver({ requestId, albumId, text: 'Here you are.' });
  if (end === 'revision_requested')
    await call(3.5 * dayMs, 'say', { code, what: 'revise', text: 'Could the first one be a little warmer?' });
  if (end === 'problem')
    await call(3.5 * dayMs, 'say', { code, what: 'complain', text: 'These are not the photos that I asked for.' });
}

/** The newest code that was mailed to an address. */
async function readCode({ engines }: Past, email: string): Promise<string> {
  const emails = await engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
  const code = /^\s*(\d{6})$/m.exec(emails.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (code === undefined) throw new Error(`There is no code in the email to ${email}.`);
  return code;
}
