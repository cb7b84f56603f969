import type { Params } from './params.ts';
import type { World } from './world.ts';

/** What a call asks for. */
export interface Asked {
  world: World;
  params: Params;
  /** The connected account in whose name it is made. */
  account: string | undefined;
  /** The first name in its address. */
  id: string;
  ids: readonly string[];
}

export interface Route {
  method: string;
  /** As the library's own address of it, `/v1/charges/:id`. */
  path: string;
  pattern: RegExp;
  answer(asked: Asked): unknown;
  /** A page for people, which needs no key. */
  isPage: boolean;
}

/** Describes one address, `GET /v1/charges/:id`. */
export function route(endpoint: string, answer: Route['answer'], isPage = false): Route {
  const [method = '', path = ''] = endpoint.split(' ');
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);
  return { method, path, pattern, answer, isPage };
}
