import { expect, test } from 'vitest';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { openHouse } from '#tests/support/house.ts';
import { rawPages } from '#tests/support/raw-pages.ts';

test('every page that the server writes itself is on the list of those that the journeys show', async () => {
  const house = await openHouse({ workJobs: false });
  const { publicUrl: url, dataDir } = house.engines.house;
  const developer = developerHeaders({ url, dataDir });
  const routes = await collectRoutes(house.engines);
  const asked = [...new Set(routes.filter(({ method }) => [method].flat().includes('GET')).map(({ url }) => url))];
  const answers = await Promise.all(
    asked.map(async (url) => {
      const answer = await house.app.inject({
        url: url.replaceAll(/:\w+/g, 'nobody'),
        headers: { host: 'localhost:3000', ...developer },
      });
      return { url, isPage: String(answer.headers['content-type']).startsWith('text/html') };
    }),
  );
  await house.close();
  const found = answers.filter(({ url, isPage }) => isPage && !url.includes('*')).map(({ url }) => url);
  // The door stands beside the built pages, which a house in a test has none of.
  expect([...found, '/view/:slug'].sort()).toEqual([...rawPages].sort());
});
