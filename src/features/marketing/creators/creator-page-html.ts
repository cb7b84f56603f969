import { renewalTerms } from '#features/notices/refund-promise.ts';
import { escapeHtml, formatPrice, isolate } from '#kit/text.ts';
import { notFound } from '../not-found-words.ts';
import { legalPages } from '../site-pages.ts';
import type { PageSale, TierParams } from './page-sale.ts';

/** What somebody shows of themselves to everybody. */
export interface ShownCreator {
  name: string;
  handle: string;
  bio: string;
  /** Address of their picture. */
  picture: string | undefined;
  /** Left out where they cannot be paid. */
  sale?: PageSale;
}

/** What the page of a creator links to, beside their picture. */
export interface PageParts {
  /** Links to the styles of the built pages. */
  pageHead: string;
  /** Address of the script that opens what is sold; without it nothing is. */
  script: string | undefined;
}

const link = 'inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline';
const brand = 'font-display text-17 font-title tracking-tight';

/** Every word of a person in it has been escaped. A script is in it only where something is sold. */
const frame = (title: string, main: string, { pageHead, script }: PageParts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${pageHead}
</head>
<body>
<div class="flex min-h-dvh flex-col">
<header class="mx-auto flex min-h-16 w-full max-w-290 items-center px-5 pt-[env(safe-area-inset-top)]">
<a href="/" aria-label="PrivateFans, home" class="flex min-h-11 items-center ${brand}">Private<span class="text-plum">Fans</span></a>
</header>
<main id="main" class="mx-auto grid w-full max-w-140 flex-1 place-content-center justify-items-center gap-4 px-5 py-12 text-center">
${main}
</main>
<footer class="border-t border-line">
<nav aria-label="Legal" class="mx-auto flex max-w-290 flex-wrap gap-x-5 px-5 py-6 text-13 text-quiet">
${legalPages.map(({ to, label }) => `<a href="${to}" class="${link}">${label}</a>`).join('\n')}
</nav>
</footer>
</div>
${script === undefined ? '' : `<script type="module" src="${script}"></script>\n`}</body>
</html>
`;

/** A letter may be of two units, as an emoji is. */
const firstLetter = (name: string) => [...name.trim().toLocaleUpperCase()][0] ?? '?';

const face = ({ picture, name }: ShownCreator) =>
  picture === undefined
    ? `<span aria-hidden="true" class="grid size-32 place-items-center rounded-full bg-plum-wash font-display text-56 font-title text-plum">${escapeHtml(firstLetter(name))}</span>`
    : `<img src="${escapeHtml(picture)}" alt="" width="128" height="128" class="size-32 rounded-full bg-plum-wash object-cover">`;

/** The page of somebody who has opened it: picture, name, what they say of themselves, and no album. */
export const writeCreatorPage = (creator: ShownCreator, parts: PageParts): string =>
  frame(
    `${escapeHtml(creator.name)} · PrivateFans`,
    `${face(creator)}
<div class="grid min-w-0 gap-1">
<h1 class="text-38 text-balance wrap-anywhere">${escapeHtml(creator.name)}</h1>
<p class="text-quiet wrap-anywhere">@${escapeHtml(creator.handle)}</p>
</div>
${creator.bio === '' ? '' : `<p class="max-w-full text-17 whitespace-pre-line wrap-anywhere">${escapeHtml(creator.bio)}</p>`}
${creator.sale === undefined ? '' : `${writeTiers(creator.sale)}${writeTip(creator.sale)}${writeRequest(creator.sale)}`}<p class="mt-4 max-w-100 border-t border-line pt-6 text-13 text-balance text-quiet">Albums are private here. Only people with a personal link can open one.</p>`,
    creator.sale === undefined ? { ...parts, script: undefined } : parts,
  );

const primary =
  'inline-flex min-h-13 items-center justify-center rounded-control bg-plum px-6 text-17 font-strong text-on-plum hover:bg-plum-deep';
const outline =
  'inline-flex min-h-13 items-center justify-center rounded-control border border-line bg-raised px-6 text-17 font-strong hover:border-edge';
const needsScript = (what: string) =>
  `<p class="grid min-h-13 place-items-center text-13 text-quiet">To ${what}, turn on JavaScript in your browser.</p>`;

/** Several months at once, and what that saves. */
function writeLonger(params: TierParams, monthCents: number, currency: string): string {
  const format = (cents: number) => formatPrice(cents, currency.toUpperCase());
  const savedCents = monthCents * params.months - params.priceCents;
  return `<div data-tier="${escapeHtml(JSON.stringify(params))}" class="grid">
<button type="button" hidden class="${outline}">${format(params.priceCents)} for ${params.months} months${savedCents > 0 ? `, save ${format(savedCents)}` : ''}</button>
</div>
`;
}

/** What a month costs first, then what it is. */
const writeTiers = ({ tip: { handle, currency, isSandbox }, tiers }: PageSale) =>
  tiers.length === 0
    ? ''
    : `<section aria-label="Subscribe" class="mt-2 grid w-full max-w-100 gap-3">
${tiers
  .map(
    ({
      id,
      name,
      priceCents,
      longer,
      benefits,
    }) => `<article class="grid gap-2 rounded-card border border-line bg-raised p-5">
<p class="font-display text-28 font-title tabular-nums">${formatPrice(priceCents, currency.toUpperCase())}<span class="font-sans text-15 font-normal text-quiet"> a month</span></p>
<h2 class="text-21 wrap-anywhere">${escapeHtml(name)}</h2>
${benefits === '' ? '' : `<p class="whitespace-pre-line wrap-anywhere">${escapeHtml(benefits)}</p>\n`}<div data-tier="${escapeHtml(JSON.stringify({ handle, tierId: id, months: 1, priceCents }))}" class="grid pt-1">
<button type="button" hidden class="${primary}">Subscribe</button>
${needsScript('subscribe')}
</div>
${longer.map((term) => writeLonger({ handle, tierId: id, ...term }, priceCents, currency)).join('')}</article>`,
  )
  .join('\n')}
<p class="text-13 text-balance text-quiet">${isSandbox ? 'Test payments, no real money. ' : ''}<span data-terms>${renewalTerms}</span></p>
</section>
`;

/** Price first; the form comes with the first tap, and without a script there is nothing to tap. */
const writeTip = ({
  tip,
}: PageSale) => `<section aria-labelledby="tip-title" class="mt-2 grid w-full max-w-100 gap-3 rounded-card border border-line bg-raised p-5">
<h2 id="tip-title" class="text-21">Tip ${escapeHtml(isolate(tip.name))}</h2>
<p class="text-quiet">${formatPrice(tip.leastCents, tip.currency.toUpperCase())} or more, by card. No account needed.</p>
<div data-tip="${escapeHtml(JSON.stringify(tip))}" class="grid">
<button type="button" hidden class="${primary}">Send a tip</button>
${needsScript('send a tip')}
</div>
</section>
`;

/** A page of its own takes the request, so that nothing is loaded for it here. */
const writeRequest = ({ tip: { handle, name, currency }, requestCents }: PageSale) =>
  requestCents === undefined
    ? ''
    : `<section aria-labelledby="request-title" class="mt-2 grid w-full max-w-100 gap-3 rounded-card border border-line bg-raised p-5">
<h2 id="request-title" class="text-21">Ask ${escapeHtml(isolate(name))} for something custom</h2>
<p class="text-quiet">From ${formatPrice(requestCents, currency.toUpperCase())}. You pay only if it is accepted, and it is held until delivery.</p>
<a href="/custom-request?creator=${encodeURIComponent(handle)}" class="inline-flex min-h-13 items-center justify-center rounded-control border border-line bg-raised px-6 text-17 font-strong hover:border-edge">Ask for something</a>
</section>
`;

/** Returns what every other handle says: nobody's, closed, locked or without a plan. */
export const writeNotFound = (pageHead: string): string =>
  frame(
    notFound.title,
    `<p aria-hidden="true" class="font-display text-56 font-title text-plum">404</p>
<h1 class="text-28 md:text-38">${notFound.headline}</h1>
<p class="max-w-96 text-balance text-quiet">${notFound.text}</p>
<a href="/" class="inline-flex min-h-11 items-center rounded-control bg-plum px-4.5 font-strong text-on-plum">${notFound.way}</a>`,
    { pageHead, script: undefined },
  );
