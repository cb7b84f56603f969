import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { finderScript, type Sent, send } from './finder.ts';
import { chooseEntry, focusOn, readBox, readMiddle, selectAll, setDate, untilStill } from './in-page.ts';
import type { Tab, TabDriver } from './tab.ts';
import { describeTarget, type Target } from './targets.ts';

const patienceSeconds = 30;
const pauseMs = 60;

/** Repeats a question until its answer is yes. A page that is just leaving cannot answer; it is asked again. */
async function until(what: string, seconds: number, ask: () => Promise<boolean>, told: () => Promise<string>) {
  const end = performance.now() + 1000 * seconds;
  let trouble = '';
  while (performance.now() < end) {
    const isSo = await ask().catch((error: Error) => {
      trouble = ` (${error.name}: ${error.message.split('\n')[0]})`;
      return false;
    });
    if (isSo) return;
    await wait(pauseMs);
  }
  throw new Error(`${what}, not within ${seconds} s${trouble}. The page: ${await told().catch(() => 'says nothing')}`);
}

/** Finds things in the page of a tab, and waits for them. */
interface Finding<Handle> {
  countSeen(target: Target): Promise<number>;
  /** The first one, seen or not. */
  first(target: Target): Promise<Handle>;
  /** The first one, once a hand can reach it. */
  reach(target: Target): Promise<Handle>;
  untilSo(what: string, seconds: number, ask: () => Promise<boolean>): Promise<void>;
}

function createFinding<Handle>(driver: TabDriver<Handle>): Finding<Handle> {
  const withFinder = async <T>(use: () => Promise<T>): Promise<T> => {
    const isThere = await driver.call(() => globalThis.pfFinder !== undefined, null);
    if (!isThere) await driver.run(finderScript);
    return use();
  };
  const told = () =>
    driver.call(() => `${location.pathname}: ${document.body.textContent.replaceAll(/\s+/g, ' ').slice(0, 600)}`, null);
  const untilSo = (what: string, seconds: number, ask: () => Promise<boolean>) => until(what, seconds, ask, told);
  const untilFound = async (what: string, ask: () => Promise<Handle | undefined>): Promise<Handle> => {
    let found: Handle | undefined;
    await untilSo(what, patienceSeconds, async () => {
      found = await withFinder(ask);
      return found !== undefined;
    });
    return found as Handle;
  };
  return {
    untilSo,
    countSeen: (target) =>
      withFinder(() => driver.call((sent: Sent) => globalThis.pfFinder?.all(sent).length ?? 0, send(target))),
    first: (target) =>
      untilFound(`${describeTarget(target)} is there`, () =>
        driver.element((sent: Sent) => globalThis.pfFinder?.any(sent)[0], send(target)),
      ),
    reach: (target) =>
      untilFound(`${describeTarget(target)} can be reached`, () =>
        driver.element((sent: Sent) => globalThis.pfFinder?.reachable(sent), send(target)),
      ),
  };
}

/** Within `npm test` nobody looks at pictures of what goes well: there is one of what failed. */
const takesPictures = process.env.PF_LOOKS !== 'quick';

/** @param folder where its pictures go */
export function createTab<Handle>(driver: TabDriver<Handle>, folder: string): Tab {
  const finding = createFinding(driver);
  const { open, reload, back, forward, press, drag, close } = driver;
  return {
    ...{ open, reload, back, forward, press, drag, close },
    ...createHand(driver, finding),
    ...createEyes(driver, finding),
    inFrame: async (target, steps) =>
      driver.inFrame(await finding.first(target), (frame) => steps(createTab(frame, folder))),
    async picture(name, { hasFailed = false } = {}) {
      if (!takesPictures && !hasFailed) return;
      await untilLoaded(driver);
      await driver.call(untilStill, null);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${name}.png`), await driver.picture());
    },
  };
}

/** Waits until nothing is loading in two looks, one after the other; a picture of what still loads after that is one of that. */
async function untilLoaded<Handle>(driver: TabDriver<Handle>): Promise<void> {
  const isLoading = () => driver.call(() => document.querySelector('[aria-busy="true"]') !== null, null);
  for (let tries = 0, quiet = 0; tries < 50 && quiet < 2; tries++) {
    quiet = (await isLoading()) ? 0 : quiet + 1;
    await wait(200);
  }
}

type Hand = Pick<Tab, 'tap' | 'type' | 'upload' | 'tapTwice' | 'focus' | 'choose'>;

function createHand<Handle>(driver: TabDriver<Handle>, { first, reach }: Finding<Handle>): Hand {
  return {
    async tap(target) {
      await driver.tap(await reach(target));
    },
    async type(target, words) {
      const element = await reach(target);
      if (await driver.call(setDate, { sent: send(target), words })) return;
      await driver.tap(element);
      await driver.call(selectAll, null);
      await driver.type(words);
    },
    async upload(target, ...files) {
      await driver.upload(await first(target), files);
    },
    tapTwice: (at) => driver.tapAt(at, 2),
    async focus(target) {
      await first(target);
      await driver.call(focusOn, send(target));
    },
    async choose(target, entry) {
      await first(target);
      if (!(await driver.call(chooseEntry, { sent: send(target), entry }))) throw new Error(`There is no ${entry}.`);
    },
  };
}

type Eyes = Omit<Tab, keyof Hand | keyof TabDriver<unknown> | 'inFrame' | 'picture'>;

function createEyes<Handle>(driver: TabDriver<Handle>, { countSeen, first, untilSo }: Finding<Handle>): Eyes {
  return {
    address: () => driver.call(() => location.href, null),
    see: (target, seconds = patienceSeconds) =>
      untilSo(`${describeTarget(target)} is seen`, seconds, async () => (await countSeen(target)) > 0),
    seeNo: (target, seconds = patienceSeconds) =>
      untilSo(`${describeTarget(target)} is gone`, seconds, async () => (await countSeen(target)) === 0),
    async read(target) {
      await first(target);
      return driver.call((sent: Sent) => globalThis.pfFinder?.all(sent)[0]?.textContent ?? '', send(target));
    },
    async middleOf(target) {
      await first(target);
      return driver.call(readMiddle, send(target));
    },
    evaluate: (fn, argument) => driver.call(fn, argument ?? (null as never)),
    waitFor: (what, fn, argument, seconds = patienceSeconds) =>
      untilSo(what, seconds, () => driver.call(fn, argument ?? (null as never))),
    async isBlank(target) {
      await first(target);
      await driver.call(untilStill, null);
      const [box, picture] = [await driver.call(readBox, send(target)), sharp(await driver.picture())];
      const scale = ((await picture.metadata()).width ?? box.screen) / box.screen;
      const part = { left: box.x, top: box.y, width: box.width, height: box.height };
      const pixels = Object.fromEntries(Object.entries(part).map(([side, px]) => [side, Math.round(px * scale)]));
      const { channels } = await picture.extract(pixels as typeof part).stats();
      return channels.slice(0, 3).every(({ stdev }) => stdev < 1);
    },
  };
}
