import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Guest, type LeakWorld, openLeakWorld } from '#tests/support/tracing/leaks.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { numbersFrom } from '../hostile/hostile-files.ts';
import { type Answer, type Attacker, type Inside, openAttacker, openInside } from './framing-uploads.ts';
import {
  type Ask,
  bitsOfSuspect,
  climb,
  drawnItem,
  type Heard,
  hearForgetful,
  hearOracle,
  honestAnswers,
  inviteViewers,
  luckyMixture,
  type Mix,
  readingOf,
} from './trace-framing.ts';

guards('src/features/tracing/**');

/**
 * The tracer must not be an oracle. Somebody who has both variants of every tile submits mixtures of them and climbs on
 * what the answers show; 300 uploads must not be enough to see anybody accused. Many climbs are drawn, on the judgements alone;
 * some are real uploads to the whole product. `npm run prove -- trace-framing` plays all 300.
 */
vi.setConfig({ testTimeout: countOf(900_000, 14_400_000), hookTimeout: 600_000 });
const mostUploads = 300;
/** So near that it is called probable, a power of ten clear of what nobody hears of. */
const isProbable = ({ nearness = 0 }: Heard) => nearness >= 4;

describe('a climb that is drawn', () => {
  const suspects = inviteViewers(countOf(20, 40), randomBytes(32));
  const drawn = { tiles: drawnItem.columns * drawnItem.rows, uploads: mostUploads };
  const readings = (mix: Mix) => [readingOf(drawnItem, mix)];
  const forgetful: Ask = (mix) => hearForgetful(readings(mix), suspects);
  const near = (seed: number): Mix => {
    const target = bitsOfSuspect(suspects[0] as (typeof suspects)[0], drawnItem);
    const isNear = (mix: Mix) => hearForgetful(readings(mix), suspects).nearness !== undefined;
    return luckyMixture(target, numbersFrom(seed), isNear);
  };
  const climbAll = async (climbs: number, ask: () => Ask, start?: (seed: number) => Mix) => {
    const ends: Awaited<ReturnType<typeof climb>>[] = [];
    for (let n = 1; n <= climbs; n++)
      ends.push(await climb(ask(), { ...drawn, random: numbersFrom(n), ...(start && { start: start(n) }) }));
    return ends;
  };

  it('comes to nothing on what the answers say', async () => {
    const climbs = await climbAll(countOf(2, 50), () => honestAnswers(suspects));
    expect(climbs.filter(({ isAccused }) => isAccused)).toEqual([]);
  });

  it('comes to nothing even from a mixture that was lucky enough to be called probable', async () => {
    const climbs = await climbAll(countOf(4, 50), () => honestAnswers(suspects), near);
    expect(climbs.filter(({ isAccused }) => isAccused)).toEqual([]);
    // A bar that stays where it was, whatever was told before, is climbed over.
    const again = await climbAll(countOf(4, 20), () => forgetful, near);
    expect(again.some(({ isAccused }) => isAccused)).toBe(true);
  });

  it('would get there if the answers held a number for everybody', async () => {
    const few = suspects.slice(0, 20);
    const climbs = await climbAll(countOf(2, 5), () => (mix) => hearOracle(readings(mix), few));
    if (isFull)
      process.stdout.write(`framing: on an oracle ${climbs.map((each) => each.uploads)} uploads are enough\n`);
    expect(climbs.every(({ isAccused }) => isAccused)).toBe(true);
  });
});

describe('a climb of real uploads', () => {
  let app: TestApp;
  let world: LeakWorld;
  let attacker: Attacker;
  let inside: Inside;
  let victim: Guest;
  let sent = 0;
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(async () => {
    printProof('trace-framing', sent, figures);
    await app.close();
  });

  /** Somebody new to frame, and nothing submitted before. */
  async function begin(): Promise<void> {
    world = await openLeakWorld(app);
    victim = await world.invite('Bob');
    attacker = await openAttacker(world);
    inside = await openInside(world);
  }

  /** A mixture as near to the victim as an attacker may be by luck alone. */
  async function startNear(isNearEnough: (received: Heard) => boolean): Promise<Mix> {
    const [target, bits] = [await attacker.mixOf(victim), inside.bits(victim)];
    const bitsOf = (mix: Mix) =>
      mix.map((choice, t) => (choice === target[t] ? bits[t] : 1 - (bits[t] ?? 0)) as number);
    const isNear = (mix: Mix) => isNearEnough(hearForgetful([readingOf(inside.item, bitsOf(mix))], inside.suspects));
    return luckyMixture(target, numbersFrom(9), isNear);
  }

  /** A mixture of which so many tiles no longer are the victim's. */
  async function missing(mix: Mix, count: number): Promise<Mix> {
    const target = await attacker.mixOf(victim);
    let left = count;
    return mix.map((choice, t) => (choice === target[t] && left-- > 0 ? 1 - choice : choice));
  }

  /** Hands in, keeps all answers, and lets a planted ear hear more than was said. */
  function uploading(answers: Answer[], ear?: typeof hearForgetful): Ask {
    return async (mix) => {
      const answer = await attacker.receive(mix);
      answers.push(answer);
      sent++;
      if (isFull && sent % 25 === 0) process.stdout.write(`framing: ${sent} uploads\n`);
      return ear ? ear(await inside.readings(answer.traceId), inside.suspects) : answer;
    };
  }

  /** Shows what another answer said, if one did. */
  const expectTheSame = ([first, ...others]: readonly Answer[]) =>
    expect(others.find(({ said }) => said !== first?.said)?.said ?? first?.said).toBe(first?.said);
  const unnamed = (answers: readonly Answer[]) => answers.filter(({ nearness }) => nearness === undefined);

  it('comes to nothing, and whatever is submitted the answer is the same to the last word', async () => {
    await begin();
    const answers: Answer[] = [];
    const uploads = countOf(5, mostUploads);
    const end = await climb(uploading(answers), { tiles: attacker.tiles, uploads, random: numbersFrom(1) });
    expect(end).toEqual({ isAccused: false, uploads });
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']));
    expectTheSame(answers);
    figures.fromNothing = uploads;
    figures.refusedAsTooMany = attacker.refused;
    if (isFull) expect(attacker.refused).toBeGreaterThan(0);
  });

  it('comes to nothing from a start that is called probable, of which every word is heard', async () => {
    await begin();
    const answers: Answer[] = [];
    const uploads = countOf(6, mostUploads);
    const random = numbersFrom(2);
    const start = await startNear(isProbable);
    const end = await climb(uploading(answers), { tiles: attacker.tiles, uploads, random, start });
    expect(end).toEqual({ isAccused: false, uploads });
    expect(answers[0]).toMatchObject({ outcome: 'probable' });
    expectTheSame(unnamed(answers));
    expect(answers.flatMap(({ opened }) => opened)).toEqual([]);
    figures.fromProbable = uploads;
    figures.calledProbable = answers.length - unnamed(answers).length;
  });

  it.runIf(isFull)('would get there on a tracer that judges each copy as if none had come before', async () => {
    await begin();
    const climbed = { tiles: attacker.tiles, uploads: mostUploads, random: numbersFrom(3) };
    const end = await climb(uploading([], hearForgetful), { ...climbed, start: await startNear(isProbable) });
    expect(end.isAccused).toBe(true);
    figures.onForgetful = end.uploads;
  });

  it('would get there on a tracer that tells how near each copy came', async () => {
    await begin();
    // From nothing; in the short form one tile is missing, and one is tried at a time.
    const near = async () => missing(await startNear(({ isAccusation }) => isAccusation), 1);
    const way = isFull ? {} : ({ start: await near(), pace: 'one tile' } as const);
    const climbed = { tiles: attacker.tiles, uploads: mostUploads, random: numbersFrom(4), ...way };
    const end = await climb(uploading([], hearOracle), climbed);
    expect(end.isAccused).toBe(true);
    figures.onOracle = end.uploads;
  });
});
