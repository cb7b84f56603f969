import type { FastifyRequest, RouteOptions } from 'fastify';
import { listRows } from './matrix-doors.ts';
import { namesOf } from './raw-shapes.ts';

/** Hears of every route of an installation, one name a method, and of the route that the last call came to. */
export class RouteWatch {
  readonly names = new Set<string>();
  last: string | undefined;
  readonly hear = (route: RouteOptions): void => {
    for (const name of namesOf(route)) this.names.add(name);
    const note = async ({ method, routeOptions }: FastifyRequest) => {
      this.last = `${method} ${routeOptions.url}`;
    };
    route.onRequest = [note, ...[route.onRequest ?? []].flat()];
  };
}

const each = (methods: string, url: string, why: string) =>
  methods.split(' ').map((method) => [`${method} ${url}`, why] as const);

/** Routes of which nothing can be asked that succeeds, and why. */
export const withoutSuccess: ReadonlyMap<string, string> = new Map([
  ...each('TRACE DELETE OPTIONS PATCH PUT QUERY', '/rpc/*', 'Our own pages call by POST, and read by GET.'),
  ...each('TRACE OPTIONS QUERY', '/api/v1/*', 'No contract gives a procedure this method.'),
]);

/** What has a route, how it was answered. */
interface Answered {
  route: string | undefined;
  status: number;
}

const listSucceeded = (heard: readonly Answered[]) =>
  new Set(heard.flatMap(({ route, status }) => (route !== undefined && status < 400 ? [route] : [])));

/** HEAD where GET is, is the same route without its body, and Fastify's own. */
const isTwin = (name: string, names: ReadonlySet<string>) =>
  name.startsWith('HEAD ') && names.has(name.replace('HEAD', 'GET'));

/** Routes that have given no answer but refusals, although nobody says why. */
export function listUnasked(names: ReadonlySet<string>, heard: readonly Answered[]): string[] {
  const succeeded = listSucceeded(heard);
  return [...names].filter((name) => !succeeded.has(name) && !withoutSuccess.has(name) && !isTwin(name, names));
}

/** Reasons that no longer hold: their route is not there, has been answered, or is the address of a procedure. */
export function listStaleReasons(names: ReadonlySet<string>, heard: readonly Answered[]): string[] {
  const spoken = new Set(listRows().map(({ method }) => `${method} /api/v1/*`));
  const succeeded = listSucceeded(heard);
  return [...withoutSuccess.keys()].filter((name) => !names.has(name) || succeeded.has(name) || spoken.has(name));
}
