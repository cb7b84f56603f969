import type { FastifyInstance } from 'fastify';
import { smallPageAction, smallPageHeaders, writeSmallPage } from '#wire/small-page.ts';
import { lingerMs } from './bare-answers.ts';

const notReady = {
  title: 'Nothing was shared',
  text: "The PrivateFans app isn't ready on this device yet, so your photos and videos weren't taken. Open PrivateFans and add them to an album there. After that, sharing works.",
  action: `<a href="/albums" class="${smallPageAction}">Open PrivateFans</a>`,
};

/**
 * POST /share-target: what a phone's gallery shares is taken by the service worker, and reaches the server only where there is none yet.
 * A gallery shares as another site's form does, so it is said to everybody, and what was sent is neither read nor kept.
 * @param pageHead links to the styles of the built pages
 */
export async function mountShareTarget(app: FastifyInstance, pageHead: string): Promise<void> {
  const page = writeSmallPage(notReady, pageHead);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post('/share-target', { config: { who: ['anybody'], changesNothing: true } }, async ({ raw }, reply) => {
      // A browser may show the answer only when it has sent everything: what is large is cut, once the answer is there.
      const cut = () => {
        if (!raw.complete) raw.destroy();
      };
      reply.raw.once('finish', () => setTimeout(cut, lingerMs).unref());
      return reply.code(404).headers(smallPageHeaders).send(page);
    });
  });
}
