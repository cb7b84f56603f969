import { listQuestions } from '#features/assistant/questions.ts';
import { featuresOf } from '#features/assistant/rules.ts';
import type { Facts } from '../contract.ts';
import { builtInVideo } from '../demo-video.ts';
import { describePage, legalPages } from '../site-pages.ts';

/** The prices that this place has and may have, in whole dollars. */
const priceRange = { low: 0, high: 99 };

type Thing = Record<string, unknown>;

const priceOf = (cents: number) => (cents / 100).toFixed(2);

/** Returns who runs the place. */
const organization = ({ publicUrl, operator }: Facts): Thing => ({
  '@type': 'Organization',
  '@id': `${publicUrl}/#organization`,
  name: operator.name ?? 'PrivateFans',
  url: `${publicUrl}/`,
  ...(operator.email !== null && { email: operator.email }),
  publishingPrinciples: `${publicUrl}${legalPages[1].to}`,
});

/** The plan and its trial; all prices lie in one range. */
function product({ publicUrl, plan }: Facts, image: string | undefined): Thing {
  const offer = (name: string, cents: number) => ({
    '@type': 'Offer',
    name,
    price: priceOf(cents),
    priceCurrency: 'USD',
    url: `${publicUrl}/pricing`,
    availability: 'https://schema.org/OnlineOnly',
  });
  return {
    '@type': 'Product',
    name: 'PrivateFans Creator Plan',
    description: 'Private albums, and links that know who they are for.',
    brand: { '@id': `${publicUrl}/#organization` },
    ...(image !== undefined && { image }),
    offers: {
      '@type': 'AggregateOffer',
      priceCurrency: 'USD',
      lowPrice: priceOf(100 * priceRange.low),
      highPrice: priceOf(Math.max(100 * priceRange.high, plan.priceCents)),
      offerCount: 2,
      offers: [offer('Creator Plan', plan.priceCents), offer('Free trial', 0)],
    },
  };
}

const questions = ({ plan, limits, sellsPlans }: Facts): Thing => ({
  '@type': 'FAQPage',
  mainEntity: listQuestions({ ...plan, ...limits, features: featuresOf(sellsPlans) }).map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});

function listVideo({ publicUrl, video }: Facts, card: string | undefined): Thing[] {
  if (video === null) return [];
  const thumbnail = video.kind === 'file' ? `${publicUrl}${video.poster}` : card;
  return [
    {
      '@type': 'VideoObject',
      name: 'PrivateFans in one minute',
      description: 'From upload to magic link, viewer, revoke and trace.',
      uploadDate: `${builtInVideo.madeOn}T00:00:00Z`,
      ...(thumbnail !== undefined && { thumbnailUrl: thumbnail }),
      ...(video.kind === 'file' ? { contentUrl: `${publicUrl}${video.src}` } : { embedUrl: video.src }),
    },
  ];
}

/** The story as a work of its own. */
function describeStory({ publicUrl, ...facts }: Facts, card: string | undefined): Thing {
  const { title, description } = describePage('/demo', facts);
  return {
    '@type': 'WebPage',
    '@id': `${publicUrl}/demo`,
    url: `${publicUrl}/demo`,
    name: title,
    description,
    inLanguage: 'en',
    timeRequired: 'PT80S',
    publisher: { '@id': `${publicUrl}/#organization` },
    ...(card !== undefined && { image: card }),
  };
}

/** Returns which things a page tells of. Nothing that an operator claims is among them. */
function listThings(address: string, facts: Facts, card: string | undefined): Thing[] {
  if (address === '/') return [organization(facts), product(facts, card), questions(facts), ...listVideo(facts, card)];
  if (address === '/pricing') return [organization(facts), product(facts, card), questions(facts)];
  if (address === '/demo') return [organization(facts), describeStory(facts, card)];
  return [organization(facts)];
}

/**
 * A page as search engines read it (JSON-LD), ready to stand in HTML.
 * @param card whole address of the picture beside links to it
 */
export function writeStructuredData(address: string, facts: Facts, card: string | undefined): string {
  const graph = { '@context': 'https://schema.org', '@graph': listThings(address, facts, card) };
  return JSON.stringify(graph).replaceAll('<', '\\u003c');
}
