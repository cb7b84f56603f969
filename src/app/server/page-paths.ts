import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Route {
  path?: string;
  index?: boolean;
  parentId?: string;
}

const listStart = 'window.__reactRouterManifest=';

/**
 * Returns which addresses are pages: the list of routes that the build wrote for the browser.
 * @param build folder of the built pages, absolute
 * @throws when there is no such list
 */
export function readPagePaths(build: string): (pathname: string) => boolean {
  const assets = path.join(build, 'client/assets');
  const name = readdirSync(assets).find((file) => /^manifest-\w+\.js$/.test(file));
  if (name === undefined) throw new Error(`There is no list of pages in ${assets}. Run \`npm run build\`.`);
  const text = readFileSync(path.join(assets, name), 'utf8').trim();
  const { routes } = JSON.parse(text.slice(listStart.length).replace(/;$/, '')) as { routes: Record<string, Route> };
  const patterns = Object.values(routes)
    .filter((route) => (route.path || route.index) && route.path !== '*')
    .map((route) => patternOf(wholePath(routes, route)));
  return (pathname) => patterns.some((pattern) => pattern.test(pathname));
}

function wholePath(routes: Record<string, Route>, { path: own = '', parentId = '' }: Route): string {
  const parent = routes[parentId];
  return `${parent === undefined ? '' : wholePath(routes, parent)}/${own}`;
}

/** As the browser's own router reads them: in either case, with or without a slash at the end. */
function patternOf(whole: string): RegExp {
  const steps = whole.split('/').filter((step) => step !== '');
  const pattern = steps.map((step) =>
    step.startsWith(':') ? '/[^/]+' : `/${step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
  );
  return new RegExp(`^${pattern.join('')}/?$`, 'i');
}
