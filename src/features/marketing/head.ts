import { escapeHtml } from '#kit/text.ts';
import type { Facts } from './contract.ts';
import { writeStructuredData } from './site/structured-data.ts';
import { describePage, endedInvitation, missingPage } from './site-pages.ts';

export interface HeadOf {
  address: string;
  facts: Facts;
  /** Links to icon, fonts and styles of the built pages. */
  pageHead: string;
  /** Address of the picture beside a link to it, without origin; none where none was drawn. */
  card: string | undefined;
}

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** The head of a public page: what it is called, where it lives, and what stands beside a link to it. */
export function writeHead({ address, facts, pageHead, card }: HeadOf): string {
  const { title, description } = describePage(address, facts);
  const common = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    pageHead,
  ];
  if (address === missingPage || address === endedInvitation)
    return [...common, meta('name', 'robots', 'noindex')].join('\n');
  const url = `${facts.publicUrl}${address}`;
  const picture = card === undefined ? undefined : `${facts.publicUrl}${card}`;
  return [
    ...common,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'PrivateFans'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    ...(picture === undefined
      ? []
      : [
          meta('property', 'og:image', picture),
          meta('property', 'og:image:width', '1200'),
          meta('property', 'og:image:height', '630'),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]),
    `<script type="application/ld+json">${writeStructuredData(address, facts, picture)}</script>`,
  ].join('\n');
}

/** Returns what robots may read. Links to albums are not forbidden: they say themselves that they want to be left out, which must be readable. */
export const writeRobots = (publicUrl: string): string => `User-agent: *
Disallow: /my
Disallow: /account
Disallow: /api/
Disallow: /post-checkout
Disallow: /tip-success
Disallow: /album-purchase-success
Disallow: /subscription-success
Disallow: /custom-request-success
Disallow: /find-my-purchases

Sitemap: ${publicUrl}/sitemap.xml
`;

/** @param addresses of the pages that are to be found */
export const writeSitemap = (
  publicUrl: string,
  addresses: readonly string[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `  <url><loc>${escapeHtml(publicUrl + address)}</loc></url>`).join('\n')}
</urlset>
`;
