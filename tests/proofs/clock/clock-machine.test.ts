import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { all, anHour, never, type People, type Screen, settle } from './clock-machine-people.ts';
import { findFaketime, type Machine, noFaketime, openMachine } from './turned-machine.ts';

guards('src/features/access/**', 'src/features/viewing/**', 'src/engines/jobs/**', 'src/engines/database/**');

/**
 * The real server and its database under `faketime`, on a machine whose clock is 30 days wrong from the outset, jumps on by 30 days
 * while both run, and back again. Timers and the monotonic clock go on as they do on a machine.
 */
const jump = 30;
const faketime = findFaketime();
/** Where the clock stands at first, in days from the real one. */
const outsets = [-30, 30, 0].slice(0, countOf(1, 3));
const patience = { timeout: countOf(420_000, 1_800_000) };
/** More photos than are made at once, so that some wait for their turn. */
const photosAtOnce = 6;
const leaseMs = 31_000;
/** One for each link that was opened for the first time, one for signing in. */
const emailsAtMost = 10;
const counts = { clocks: 0, jumps: 0, seals: 0, slowestSealS: 0, jobs: 0 };
let requests = 0;

beforeAll(() => {
  if (isFull) expect(faketime, noFaketime).toBeDefined();
});
afterAll(() => {
  if (faketime !== undefined) printProof('clock-machine', requests, counts);
});

const nothing: string[] = [];
const isIn = (found: readonly string[], wanted: readonly string[]) => found.filter((one) => !wanted.includes(one));

/** What somebody is given that should not be, and is not that should be. */
async function judge(what: string, screen: Screen, due: readonly string[]): Promise<string[]> {
  const given = await screen.findGiven();
  return [
    ...isIn(given, due).map((one) => `${what} is given ${one}`),
    ...isIn(due, given).map((one) => `${what} is not given ${one}`),
  ];
}

/** Every round by the minute does its work: what a new viewer was fixed is sealed soon. @returns what is not */
async function untilSealed({ rowsOf }: Machine, people: People): Promise<string[]> {
  const began = performance.now();
  await people.openScreen(never);
  for (; performance.now() - began < 150_000; await wait(1000)) {
    const [row] = await rowsOf<{ n: number }>(
      `select count(*)::int as n from codeword_log l where not exists (select from codeword_seals s where l.seq = any(s.seqs))`,
    );
    if (row?.n !== 0) continue;
    counts.seals++;
    counts.slowestSealS = Math.max(counts.slowestSealS, Math.round((performance.now() - began) / 1000));
    return nothing;
  }
  return ['what was fixed is not sealed'];
}

interface JobIds {
  queue: string;
  ids: string[];
}
const jobsOf = ({ rowsOf }: Machine) =>
  rowsOf<JobIds>(
    `select name as queue, array_agg(id::text) as ids from pgboss.job where not starts_with(name, '__') group by 1`,
  );

/** Queues that got more jobs than minutes have passed, photos were sent and links were opened. */
async function findStorms(machine: Machine, before: readonly JobIds[], minutes: number): Promise<string[]> {
  const known = new Set(before.flatMap(({ ids }) => ids));
  const due: Record<string, number> = {
    'photo.process': photosAtOnce + 1,
    'notices.sendLetter': emailsAtMost,
    'notices.tell': emailsAtMost,
  };
  return (await jobsOf(machine)).flatMap(({ queue, ids }) => {
    const fresh = ids.filter((id) => !known.has(id)).length;
    counts.jobs += fresh;
    return fresh > (due[queue] ?? minutes + 3) ? [`${queue} got ${fresh} jobs in ${minutes} minutes`] : [];
  });
}

/** Rows that no clock of now has written: what lies ahead of it and would hold something up. */
async function findAhead({ rowsOf }: Machine): Promise<string[]> {
  const ahead: Record<string, string> = {
    'a round of the jobs':
      'select 1 from pgboss.version where greatest(cron_on, bam_on, flow_on, reindex_on) > now() + $1::interval',
    'a queue':
      'select 1 from pgboss.queue where greatest(monitor_claim_on, monitor_on, maintain_on) > now() + $1::interval',
    'a waiting job': `select 1 from pgboss.job where state < 'completed' and start_after > now() + $1::interval`,
    'an open screen': `select 1 from viewer_sessions where state = 'open' and last_beat_at > now() + $1::interval`,
  };
  const found: string[] = [];
  for (const [what, text] of Object.entries(ahead))
    if ((await rowsOf(text, ['15 minutes'])).length > 0) found.push(`${what} is ahead of the clock`);
  return found;
}

/** What is wrong right after the clock has jumped, of everything that was there before it did. */
interface Jump {
  machine: Machine;
  people: People;
  to: number;
}

/** What was found, and what ended before the next jump: by its instant, and by a hand. */
interface JumpedOn {
  found: string[];
  ended: Screen;
  taken: Screen;
}

async function jumpOn({ machine, people, to }: Jump): Promise<JumpedOn> {
  const [short, lasting, taken] = [
    await people.openScreen(anHour),
    await people.openScreen(never),
    await people.openScreen(never),
  ];
  await people.revoke(taken);
  const fine = [
    ...(await judge('a link of an hour', short, all)),
    ...(await judge('a link without an end', lasting, all)),
    // Whoever has a lease still gets noise for half a minute, and no key to it.
    ...(await judge('a link that was taken back', taken, ['bytes'])),
  ];
  const before = await jobsOf(machine);
  const began = performance.now();
  await people.sendPhotos(photosAtOnce);
  await machine.turn(to);
  counts.jumps++;
  const found = [
    ...(await judge('a link that has ended meanwhile', short, nothing)),
    // What the screens held is over; whoever comes again is let in.
    ...(await judge('a link without an end', lasting, ['the door', 'the door for others'])),
    ...(await judge('a link that was taken back before', taken, nothing)),
    ...((await people.isSignedIn()) ? ['a session of 30 days has not ended'] : nothing),
  ];
  await people.signIn();
  await people.sendPhotos(1);
  const wrong = await people.findWrongPhotos();
  const sealed = await untilSealed(machine, people);
  const minutes = Math.ceil((performance.now() - began) / 60_000);
  const storms = await findStorms(machine, before, minutes);
  // Leases of before end by themselves meanwhile.
  await wait(Math.max(0, began + leaseMs - performance.now()));
  return { found: [...fine, ...found, ...wrong, ...sealed, ...storms], ended: short, taken };
}

async function jumpBack({ machine, people, to }: Jump, earlier: JumpedOn): Promise<string[]> {
  const [short, lasting, taken] = [
    await people.openScreen(anHour),
    await people.openScreen(never),
    await people.openScreen(never),
  ];
  await people.revoke(taken);
  // A screen of which nothing is heard any more.
  await people.openScreen(never);
  const before = await jobsOf(machine);
  const began = performance.now();
  await people.sendPhotos(photosAtOnce);
  await machine.turn(to);
  counts.jumps++;
  const stays: string[] = ['keys', 'a renewal', 'the door', 'the door for others'];
  const found = [
    // Its lease was to end in half a minute, which would be in 30 days and half a minute now; the visit is decided again and goes on.
    ...(await judge('a link of an hour, opened ahead', short, stays)),
    ...(await judge('a link without an end, opened ahead', lasting, stays)),
    ...(await judge('a link that was taken back ahead', taken, nothing)),
    ...(await judge('a link that was taken back before', earlier.taken, nothing)),
    // Its instant is still to come; the visit that it ended stays so.
    ...(await judge('a link that had ended by its instant', earlier.ended, ['the door', 'the door for others'])),
    ...((await people.isSignedIn()) ? nothing : ['a session from ahead has ended']),
  ];
  await people.signIn();
  await people.sendPhotos(1);
  const wrong = await people.findWrongPhotos();
  const sealed = await untilSealed(machine, people);
  const minutes = Math.ceil((performance.now() - began) / 60_000);
  const [storms, ahead] = [await findStorms(machine, before, minutes), await findAhead(machine)];
  return [...found, ...wrong, ...sealed, ...storms, ...ahead, ...(await people.findMisnoted())];
}

test.for(outsets)(
  'an installation whose clock is %i days off lives, goes on when it jumps on by 30 days, and back',
  patience,
  async (days, { skip }) => {
    if (faketime === undefined) return skip(noFaketime);
    const machine = await openMachine(faketime, days);
    try {
      const people = await settle(machine);
      await machine.turn(days);
      counts.clocks++;
      await people.sendPhotos(1);
      expect(await people.findWrongPhotos()).toEqual([]);
      const on = await jumpOn({ machine, people, to: days + jump });
      const back = await jumpBack({ machine, people, to: days }, on);
      expect([...on.found.map((one) => `on: ${one}`), ...back.map((one) => `back: ${one}`)]).toEqual([]);
      requests += people.requests;
    } finally {
      await machine.close();
    }
  },
);

test('planted: a clock that does not move is found', patience, async ({ skip }) => {
  if (faketime === undefined) return skip(noFaketime);
  const machine = await openMachine(faketime, jump, 'stays');
  try {
    await machine.start('web');
    await machine.turn(jump);
    await expect(machine.turn(0)).rejects.toThrow('Not every clock has moved');
  } finally {
    await machine.close();
  }
});
