import { describe, expect, it } from 'vitest';
import { listShownClaims, operatorClaims } from './claims/claims.ts';
import { usualFacts } from './facts.ts';
import { writeHead, writeRobots, writeSitemap } from './head.ts';
import { missingPage, sitePages } from './site-pages.ts';

const publicUrl = 'https://example.com';
const claims = listShownClaims([], { isSandbox: true, now: new Date() });
const facts = { ...usualFacts, publicUrl, claims };
const headOf = (address: string, changes = {}) =>
  writeHead({ address, facts: { ...facts, ...changes }, pageHead: '<link>', card: '/assets/card-home-1.jpg' });
const dataOf = (address: string, changes = {}) => {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(headOf(address, changes)) ?? [];
  return JSON.parse(json)['@graph'] as Record<string, unknown>[];
};
const thing = (address: string, type: string, changes = {}) =>
  dataOf(address, changes).find((each) => each['@type'] === type);

describe('the head of a public page', () => {
  it.each(sitePages.map(({ address }) => address))(
    '%s has a title, a description, its own address and a picture',
    (address) => {
      const head = headOf(address);
      expect(head).toMatch(/<title>[^<]{10,70}<\/title>/);
      expect(head).toMatch(/<meta name="description" content="[^"]{30,170}">/);
      expect(head).toContain(`<link rel="canonical" href="${publicUrl}${address}">`);
      expect(head).toContain(`<meta property="og:image" content="${publicUrl}/assets/card-home-1.jpg">`);
      expect(thing(address, 'Organization')).toBeDefined();
    },
  );

  it('has a title and a description that no other page has', () => {
    for (const part of [/<title>(.*?)</, /name="description" content="(.*?)"/]) {
      const all = sitePages.map(({ address }) => part.exec(headOf(address))?.[1]);
      expect(new Set(all).size).toBe(sitePages.length);
    }
  });

  it('quotes nothing that nobody vouches for', () => {
    for (const { address } of sitePages)
      for (const { figure, text } of operatorClaims) {
        if (figure !== undefined && figure !== '0') expect(headOf(address)).not.toContain(figure);
        if (text.length > 20) expect(headOf(address)).not.toContain(text);
      }
  });

  it('asks to be left out where no page is', () => {
    expect(headOf(missingPage)).toContain('<meta name="robots" content="noindex">');
    expect(headOf(missingPage)).not.toContain('canonical');
  });

  it('cannot be ended by what a setting holds', () => {
    const operator = { name: '</script><b>"', email: null };
    expect(headOf('/', { operator })).not.toContain('</script><b>');
    expect(thing('/', 'Organization', { operator })).toMatchObject({ name: '</script><b>"' });
  });
});

describe('what search engines are told of', () => {
  it('is the plan and its trial by the prices in force, all within one range', () => {
    const prices = (changes = {}) => {
      const { offers } = thing('/', 'Product', changes) as { offers: { offers: { price: string }[] } };
      return { ...offers, offers: offers.offers.map(({ price }) => price) };
    };
    expect(prices()).toMatchObject({ lowPrice: '0.00', highPrice: '99.00', priceCurrency: 'USD' });
    expect(prices().offers).toEqual(['3.99', '0.00']);
    const dear = { plan: { ...facts.plan, priceCents: 12_000 } };
    expect(prices(dear)).toMatchObject({ highPrice: '120.00', offers: ['120.00', '0.00'] });
  });

  it('is the six questions of the page', () => {
    expect((thing('/', 'FAQPage') as { mainEntity: unknown[] }).mainEntity).toHaveLength(6);
    expect(JSON.stringify(thing('/pricing', 'FAQPage', { limits: { ...facts.limits, leaseSeconds: 77 } }))).toContain(
      'within 77 seconds',
    );
  });

  it('is the story of the demo, with the words that its page is told by', () => {
    expect(thing('/demo', 'WebPage')).toMatchObject({
      url: `${publicUrl}/demo`,
      description: expect.stringMatching(/eight scenes/),
    });
    expect(thing('/', 'WebPage')).toBeUndefined();
  });

  it('is the video where there is one', () => {
    expect(thing('/', 'VideoObject')).toBeUndefined();
    const video = { kind: 'file', src: '/demo-video.mp4', poster: '/demo-video.jpg' };
    expect(thing('/', 'VideoObject', { video })).toMatchObject({
      contentUrl: `${publicUrl}/demo-video.mp4`,
      thumbnailUrl: `${publicUrl}/demo-video.jpg`,
    });
  });
});

describe('what robots may read', () => {
  it('links to albums are not forbidden: that they want to be left out must be readable', () => {
    const robots = writeRobots(publicUrl);
    expect(robots).not.toContain('/view');
    for (const closed of ['/my', '/account', '/tip-success']) expect(robots).toContain(`Disallow: ${closed}\n`);
    expect(robots).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
  });

  it('every public page is on the map, by its whole address', () => {
    const map = writeSitemap(publicUrl, ['/', '/a&b']);
    expect(map.match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>https://example.com/</loc>',
      '<loc>https://example.com/a&amp;b</loc>',
    ]);
  });
});
