import { readWarning, updateDispute } from './disputes.ts';
import { pageOf } from './expanding.ts';
import { numberAt, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';

function listDisputes({ world, params }: Asked) {
  const [charge, since] = [wordAt(params, 'charge'), numberAt(params, 'created.gte') ?? 0];
  const all = world.all('dispute').filter((one) => one.created >= since && (charge ?? one.charge) === one.charge);
  return pageOf(all, {
    limit: numberAt(params, 'limit'),
    after: wordAt(params, 'starting_after'),
    url: '/v1/disputes',
  });
}

function listWarnings({ world, params }: Asked) {
  const since = numberAt(params, 'created.gte') ?? 0;
  const all = world.all('radar.early_fraud_warning').filter(({ created }) => created >= since);
  return pageOf(
    all.map((one) => readWarning(world, one)),
    {
      limit: numberAt(params, 'limit'),
      after: wordAt(params, 'starting_after'),
      url: '/v1/radar/early_fraud_warnings',
    },
  );
}

export const disputeRoutes = [
  route('GET /v1/disputes', listDisputes),
  route('GET /v1/disputes/:id', ({ world, id }) => world.find('dispute', id)),
  route('POST /v1/disputes/:id', ({ world, id, params }) => updateDispute(world, id, params)),
  route('GET /v1/radar/early_fraud_warnings', listWarnings),
  route('GET /v1/radar/early_fraud_warnings/:id', ({ world, id }) =>
    readWarning(world, world.find('radar.early_fraud_warning', id)),
  ),
];
