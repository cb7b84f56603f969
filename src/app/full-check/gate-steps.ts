import { setTimeout as wait } from 'node:timers/promises';
import { dayMs, minuteMs, secondMs } from '#kit/time.ts';
import { readCode } from './creator-steps.ts';
import type { Step } from './step.ts';
import { expectRefusal, open, tap } from './tapping.ts';
import { type LinkParams, makeLink } from './viewer-steps.ts';
import { made, type World } from './world.ts';

/** A rule of a link, and what shows that it holds: closed to whoever does not meet it, open to whoever does. */
interface Gate {
  name: string;
  params(world: World): LinkParams | Promise<LinkParams>;
  /** @throws where the rule does not hold */
  meet(world: World, slug: string): Promise<unknown>;
}

const password = 'seven quiet harbors';

const asking: readonly Gate[] = [
  {
    name: 'age',
    params: () => ({ rules: { ageGate: true } }),
    async meet(world, slug) {
      const viewer = world.openPhone();
      await expectRefusal(viewer, slug, 'NEED_AGE', { isAdult: false });
      await open(viewer, slug);
    },
  },
  {
    name: 'password',
    params: () => ({ password }),
    async meet(world, slug) {
      const viewer = world.openPhone();
      await expectRefusal(viewer, slug, 'NEED_PASSWORD');
      await expectRefusal(viewer, slug, 'NEED_PASSWORD', { password: 'another one' });
      await open(viewer, slug, { password });
    },
  },
  {
    name: 'email',
    params: (world) => ({ rules: { email: { verify: true, allow: [world.addressOf('guest')] } } }),
    async meet(world, slug) {
      const [viewer, email] = [world.openPhone(), world.addressOf('guest')];
      await expectRefusal(viewer, slug, 'NEED_EMAIL');
      await expectRefusal(viewer, slug, 'NEED_EMAIL_CODE', { email });
      await open(viewer, slug, { emailCode: await readCode(world, email) });
    },
  },
  {
    name: 'agreement',
    async params(world) {
      const { calls } = made(world.creator, 'creator').browser;
      const { id } = await calls.agreements.save({ title: 'Full check', body: 'What is shown here stays here.' });
      return { rules: { agreementId: id } };
    },
    async meet(world, slug) {
      const viewer = world.openPhone();
      const { agreement } = await expectRefusal(viewer, slug, 'NEED_AGREEMENT');
      await open(viewer, slug, { agreed: { agreementId: made(agreement, 'agreement to read').id } });
    },
  },
];

/** Whoever was never let in is not told that there is such a link. */
const strangersAnswer = 'NOT_FOUND';

const counting: readonly Gate[] = [
  {
    name: 'one browser',
    params: () => ({ rules: { bindFirstViewer: true } }),
    async meet(world, slug) {
      await open(world.openPhone(), slug);
      await expectRefusal(world.openPhone(), slug, strangersAnswer);
    },
  },
  {
    name: 'so many viewers',
    params: () => ({ rules: { maxViewers: 1 } }),
    async meet(world, slug) {
      await open(world.openPhone(), slug);
      await expectRefusal(world.openPhone(), slug, strangersAnswer);
    },
  },
  {
    name: 'so many visits',
    params: () => ({ rules: { maxVisits: 1 } }),
    async meet(world, slug) {
      const viewer = world.openPhone();
      const { visitId } = await open(viewer, slug);
      await made(world.creator, 'creator').browser.calls.viewing.closeScreen({ visitId });
      await expectRefusal(viewer, slug, 'VISITS_USED');
    },
  },
  {
    name: 'phones only',
    params: () => ({ rules: { desktopAllowed: false } }),
    async meet(world, slug) {
      await expectRefusal(world.openComputer(), slug, 'NEED_PHONE');
      await open(world.openPhone(), slug);
    },
  },
];

const geo = (whenUnknown: 'allow' | 'deny'): LinkParams => ({
  rules: { geo: { mode: 'allow', countries: ['DE'], whenUnknown } },
});

/** So long a link of the check is open before it ends. */
/** Long enough that a link that ends by it is opened before, also where the machine has much to do. */
const shortMs = 15 * secondMs;

const placing: readonly Gate[] = [
  {
    name: 'countries, closed',
    params: () => geo('deny'),
    meet: (world, slug) => expectRefusal(world.openPhone(), slug, 'GEO_BLOCKED'),
  },
  { name: 'countries, open', params: () => geo('allow'), meet: (world, slug) => open(world.openPhone(), slug) },
  {
    name: 'not yet',
    params: ({ engines }) => ({ rules: { notBefore: new Date(engines.linkClock() + dayMs).toISOString() } }),
    meet: (world, slug) => expectRefusal(world.openPhone(), slug, 'NOT_YET'),
  },
  {
    name: 'until',
    params: ({ engines }) => ({ expiry: { kind: 'at', at: new Date(engines.linkClock() + shortMs) } }),
    async meet(world, slug) {
      const viewer = world.openPhone();
      await open(viewer, slug);
      await wait(shortMs, undefined, { signal: world.signal });
      const isOver = async () => ((await tap(viewer, slug)).refusal?.reason === 'EXPIRED' ? true : undefined);
      await world.until('The end of the link', isOver);
    },
  },
  {
    name: 'for so long, only while held, marked',
    params: () => ({
      rules: { openForMs: minuteMs, viewBudgetMs: minuteMs, holdToView: true, blurWhenUnfocused: true, mark: 'tiled' },
    }),
    async meet(world, slug) {
      const { endsInMs, holdToView, blurWhenUnfocused, mark } = await open(world.openPhone(), slug);
      if (endsInMs === undefined || endsInMs > minuteMs)
        throw new Error('The link does not say that it ends in a minute.');
      if (!holdToView || !blurWhenUnfocused || mark.look !== 'tiled')
        throw new Error('The page is not told how to show it.');
    },
  },
];

async function meetGates(world: World, gates: readonly Gate[]): Promise<string> {
  const faults: string[] = [];
  for (const gate of gates) {
    try {
      const { slug } = await makeLink(world, gate.name, await gate.params(world));
      await gate.meet(world, slug);
    } catch (error) {
      faults.push(`${gate.name}: ${error instanceof Error ? error.message : error}`);
    }
    world.signal.throwIfAborted();
  }
  if (faults.length > 0) throw new Error(faults.join(' '));
  return `${gates.map(({ name }) => name).join(', ')}.`;
}

async function letIn(world: World): Promise<string> {
  const offers = [{ id: 'ask', all: [{ kind: 'approval' as const }] }];
  const { slug, id } = await makeLink(world, 'by request', { rules: { offers } });
  const viewer = world.openPhone();
  await expectRefusal(viewer, slug, 'NEED_APPROVAL');
  await expectRefusal(viewer, slug, 'APPROVAL_PENDING', { accessRequest: { name: 'Full check', message: 'May I?' } });
  const { calls } = made(world.creator, 'creator').browser;
  const { requests } = await calls.access.requests({ status: 'pending' });
  const asked = requests.find(({ link }) => link.id === id);
  await calls.access.approve({ requestId: made(asked, 'request in the list of the creator').id });
  await open(viewer, slug);
  return '';
}

/** What stands before a link, and how it is passed. */
export const gateSteps: readonly Step[] = [
  {
    key: 'asking',
    title: 'Links that ask for something are closed, and open to whoever gives it',
    needs: ['photo'],
    run: (world) => meetGates(world, asking),
  },
  {
    key: 'counting',
    title: 'Links for so many viewers, visits and devices',
    needs: ['photo'],
    run: (world) => meetGates(world, counting),
  },
  {
    key: 'placing',
    title: 'Links for a place and a time, and how they are shown',
    needs: ['photo'],
    run: (world) => meetGates(world, placing),
  },
  { key: 'approval', title: 'A viewer asks for access and is let in', needs: ['photo'], run: letIn },
];
