/** Nothing but our styles and, where it has one, a form to ourselves. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self' data:; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The headers of a small page. */
export const smallPageHeaders = { 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' };

/** The look of the one thing that can be done on a small page. */
export const smallPageAction =
  'inline-flex min-h-12 items-center rounded-control bg-plum px-5 font-strong text-on-plum hover:bg-plum-deep';

export interface SmallPage {
  title: string;
  text: string;
  /** HTML of what can be done there. */
  action: string;
}

/**
 * Writes a page of one sentence, which the server sends itself. Nothing that somebody typed stands in it.
 * @param pageHead links to the styles of the built pages
 */
export const writeSmallPage = ({ title, text, action }: SmallPage, pageHead: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · PrivateFans</title>
${pageHead}
</head>
<body>
<main id="main" class="mx-auto grid min-h-dvh w-full max-w-140 place-content-center justify-items-center gap-4 px-5 py-12 text-center">
<a href="/" class="flex min-h-11 items-center font-display text-17 font-title tracking-tight">Private<span class="text-plum">Fans</span></a>
<h1 class="text-38 text-balance">${title}</h1>
<p class="text-quiet">${text}</p>
${action}
</main>
</body>
</html>
`;
