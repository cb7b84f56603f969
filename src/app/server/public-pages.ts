import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SiteFacts } from '#app/pages/site-facts.ts';
import type { Log } from '#engines/engines.ts';
import type { Consent } from '#features/accounts/visitor.ts';
import { usualFacts as usualHelpFacts } from '#features/assistant/facts.ts';
import type { Facts } from '#features/marketing/contract.ts';
import { usualFacts } from '#features/marketing/facts.ts';
import { writeHead } from '#features/marketing/head.ts';
import { measuringSources, writeMeasuring } from '#features/marketing/measuring.ts';
import { cardName } from '#features/marketing/site-pages.ts';
import { compressPage, makePage, type Page, type Sources } from './html-page.ts';

/** So long after the start the pages are rendered, or as soon as somebody asks. */
const afterStartMs = 2000;
/** So long a page waits for news of its facts. */
const patienceMs = 1000;

/** The bodies of the public pages by their addresses, and what they all have. */
type Bodies = Readonly<Record<string, string>>;

/** Every page of one state of the facts; each is put together when it is first asked for. */
interface Edition {
  facts: SiteFacts;
  /** The same as text, to tell whether something has changed. */
  text: string;
  bodies: Promise<Bodies>;
  pages: Map<string, Promise<Page | undefined>>;
}

export interface PublicPages {
  /** @returns nothing for an address that is no public page */
  pageAt(address: string, consent: Consent): Promise<Page | undefined>;
}

export interface PublicPagesOf {
  /** Folder of the built pages, absolute. */
  build: string;
  publicUrl: string;
  isSandbox: boolean;
  /** Links to icon, fonts and styles of the built pages. */
  pageHead: string;
  readFacts: () => Promise<SiteFacts>;
  log: Log;
}

/**
 * The public pages as they stand by the facts in force: rendered at the start, and again when a setting or a claim has changed.
 * While the database is away they stay as they are.
 */
export function openPublicPages({ build, publicUrl, isSandbox, pageHead, readFacts, log }: PublicPagesOf): PublicPages {
  const renderer = path.join(build, 'public/render-pages.js');
  if (!existsSync(renderer)) throw new Error(`There are no public pages in ${build}. Run \`npm run build\`.`);
  const assets = listAssets(build);
  let edition: Edition | undefined;
  const editionNow = async (): Promise<Edition> => {
    const facts = await withinPatience(readFacts, edition?.facts).catch((error: unknown) => {
      log.warn({ err: error }, 'public pages could not read their facts');
      return edition?.facts ?? { site: { ...usualFacts, publicUrl, isSandbox }, help: usualHelpFacts };
    });
    const text = JSON.stringify(facts);
    if (edition?.text === text) return edition;
    const made: Edition = { facts, text, bodies: renderBodies(renderer, facts), pages: new Map() };
    made.bodies.catch(() => {
      if (edition === made) edition = undefined;
    });
    edition = made;
    return made;
  };
  // The first visitor need not wait for it, nor the start; what goes wrong is told where a page is asked for.
  setTimeout(() => void editionNow().catch(() => undefined), afterStartMs).unref();
  return {
    async pageAt(address, consent) {
      const current = await editionNow();
      const { gtagId, countsVisits } = current.facts.site;
      const said = gtagId === null && !countsVisits ? 'no' : consent;
      const key = `${address} ${said}`;
      const made = current.pages.get(key) ?? assemble(current, { address, consent: said, pageHead, assets });
      current.pages.set(key, made);
      return made;
    },
  };
}

/** What is read, or what was known before when that takes too long: a database that is away must not hold up who only reads. */
async function withinPatience(readFacts: () => Promise<SiteFacts>, known: SiteFacts | undefined): Promise<SiteFacts> {
  if (known === undefined) return readFacts();
  const late = Promise.withResolvers<SiteFacts>();
  const timer = setTimeout(() => late.resolve(known), patienceMs);
  try {
    return await Promise.race([readFacts(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** In a thread that ends with it. */
function renderBodies(renderer: string, facts: SiteFacts): Promise<Bodies> {
  const worker = new Worker(new URL('./render-pages-child.ts', import.meta.url), {
    workerData: { renderer: pathToFileURL(renderer).href, facts },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The public pages were not rendered.')));
  });
}

/** What the build named by its content. */
interface Assets {
  script: string | undefined;
  cards: ReadonlyMap<string, string>;
}

function listAssets(build: string): Assets {
  const names = readdirSync(path.join(build, 'client/assets'));
  const script = names.find((name) => /^site-script-[\w-]+\.js$/.test(name));
  const listed = path.join(build, 'public/cards.json');
  const cards: Record<string, string> = existsSync(listed) ? JSON.parse(readFileSync(listed, 'utf8')) : {};
  return { script: script === undefined ? undefined : `/assets/${script}`, cards: new Map(Object.entries(cards)) };
}

interface Part {
  address: string;
  consent: Consent;
  pageHead: string;
  assets: Assets;
}

async function assemble(
  { facts: { site: facts }, bodies }: Edition,
  { address, consent, pageHead, assets }: Part,
): Promise<Page | undefined> {
  const { [address]: body, consent: question = '' } = await bodies;
  if (body === undefined || address === 'consent') return undefined;
  const measuring = facts.gtagId !== null && consent === 'yes' ? writeMeasuring(facts.gtagId) : undefined;
  const head = writeHead({ address, facts, pageHead, card: assets.cards.get(cardName(address)) });
  const text = [
    `<!doctype html>\n<html lang="en">\n<head>\n${head}`,
    measuring === undefined ? '' : `${measuring.link}\n<script>${measuring.script}</script>\n${measuring.tag}`,
    `</head>\n<body${facts.countsVisits ? ' data-visits' : ''}>\n${body}`,
    consent === undefined ? question : '',
    assets.script === undefined ? '' : `<script type="module" src="${assets.script}"></script>`,
    '</body>\n</html>\n',
  ].join('\n');
  return makePage(text, sourcesOf(address, facts, measuring !== undefined), await compressPage(text));
}

/** Hosts that are none of ours: the one of a framed video on the page that shows it, and Google's where measuring was allowed. */
function sourcesOf(address: string, { video }: Facts, isMeasured: boolean): Sources {
  const frames = address === '/' && video?.kind === 'embed' ? [new URL(video.src).origin] : [];
  // Whether the video can be reached is asked before anybody is told that it is there.
  if (!isMeasured) return { frames, connect: frames };
  const { script: scripts, connect, img: images, trustedTypes } = measuringSources;
  return { frames, scripts, connect: [...frames, ...connect], images, trustedTypes };
}
