import { balanceOf, linesOf } from './books.ts';
import { pageOf } from './expanding.ts';
import { numberAt, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';

function listLines({ world, params, account }: Asked) {
  const [type, since] = [wordAt(params, 'type'), numberAt(params, 'created.gte') ?? 0];
  const all = linesOf(world, account).filter((line) => line.created >= since && (type ?? line.type) === line.type);
  return pageOf(all, {
    limit: numberAt(params, 'limit'),
    after: wordAt(params, 'starting_after'),
    url: '/v1/balance_transactions',
  });
}

function listEvents({ world, params }: Asked) {
  return pageOf(world.all('event'), {
    limit: numberAt(params, 'limit'),
    after: wordAt(params, 'starting_after'),
    url: '/v1/events',
  });
}

export const bookRoutes = [
  route('GET /v1/balance', ({ world, account }) => balanceOf(world, account)),
  route('GET /v1/balance_transactions', listLines),
  route('GET /v1/events', listEvents),
  route('GET /v1/application_fees/:id', ({ world, id }) => world.find('application_fee', id)),
];
