import { expect, test } from 'vitest';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { rawPages } from '#tests/support/raw-pages.ts';
import { openTestApp } from '#tests/support/test-app.ts';

test('every page that the server writes itself is on the list of those that the journeys show', async () => {
  const app = await openTestApp({ workJobs: false });
  const { publicUrl: url, dataDir } = app.engines.installation;
  const developer = developerHeaders({ url, dataDir });
  const routes = await collectRoutes(app.engines);
  const asked = [...new Set(routes.filter(({ method }) => [method].flat().includes('GET')).map(({ url }) => url))];
  const answers = await Promise.all(
    asked.map(async (url) => {
      const answer = await app.fastify.inject({
        url: url.replaceAll(/:\w+/g, 'nobody'),
        headers: { host: 'localhost:3000', ...developer },
      });
      return { url, isPage: String(answer.headers['content-type']).startsWith('text/html') };
    }),
  );
  await app.close();
  const found = answers.filter(({ url, isPage }) => isPage && !url.includes('*')).map(({ url }) => url);
  // The door stands beside the built pages, which an installation in a test has none of.
  expect([...found, '/view/:slug'].sort()).toEqual([...rawPages].sort());
});
