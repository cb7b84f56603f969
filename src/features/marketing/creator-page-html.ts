import { escapeHtml } from '#kit/text.ts';
import { legalPages } from './legal-words.ts';
import { notFound } from './not-found-words.ts';

/** What somebody shows of herself to everybody. */
export interface ShownCreator {
  name: string;
  handle: string;
  bio: string;
  /** Address of her picture. */
  picture: string | undefined;
}

const link = 'inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline';
const brand = 'font-display text-17 font-title tracking-tight';

/** Every word of a person in it has been escaped. It holds no script: there is nothing on it to do. */
const frame = (title: string, main: string, pageHead: string) => `<!doctype html>
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
</body>
</html>
`;

/** A letter may be of two units, as an emoji is. */
const firstLetter = (name: string) => [...name.trim().toLocaleUpperCase()][0] ?? '?';

const face = ({ picture, name }: ShownCreator) =>
  picture === undefined
    ? `<span aria-hidden="true" class="grid size-32 place-items-center rounded-full bg-plum-wash font-display text-56 font-title text-plum">${escapeHtml(firstLetter(name))}</span>`
    : `<img src="${escapeHtml(picture)}" alt="" width="128" height="128" class="size-32 rounded-full bg-plum-wash object-cover">`;

/** The page of somebody who has opened it: picture, name, what she says of herself, and no album. */
export const writeCreatorPage = (creator: ShownCreator, pageHead: string): string =>
  frame(
    `${escapeHtml(creator.name)} · PrivateFans`,
    `${face(creator)}
<div class="grid min-w-0 gap-1">
<h1 class="text-38 text-balance wrap-anywhere">${escapeHtml(creator.name)}</h1>
<p class="text-quiet wrap-anywhere">@${escapeHtml(creator.handle)}</p>
</div>
${creator.bio === '' ? '' : `<p class="max-w-full text-17 whitespace-pre-line wrap-anywhere">${escapeHtml(creator.bio)}</p>`}
<p class="mt-4 max-w-100 border-t border-line pt-6 text-13 text-balance text-quiet">Albums are private here. Only people with a personal link can open one.</p>`,
    pageHead,
  );

/** What every other handle says: nobody's, closed, locked or without a plan. */
export const writeNotFound = (pageHead: string): string =>
  frame(
    notFound.title,
    `<p aria-hidden="true" class="font-display text-56 font-title text-plum">404</p>
<h1 class="text-28 md:text-38">${notFound.headline}</h1>
<p class="max-w-96 text-balance text-quiet">${notFound.text}</p>
<a href="/" class="inline-flex min-h-11 items-center rounded-control bg-plum px-4.5 font-strong text-on-plum">${notFound.way}</a>`,
    pageHead,
  );
