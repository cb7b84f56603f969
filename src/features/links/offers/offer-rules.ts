import type { Condition, Offer, Policy } from '../policy.ts';

/** What opens a link, as the share sheet says it: what is asked for, whether any or all of it, and the creator's own yes. */
export interface Ways {
  priceCents?: number | undefined;
  tipCents?: number | undefined;
  /** Empty for any tier. */
  tierIds?: readonly string[] | undefined;
  /** All that is asked for together opens it; else any of it does. */
  isAll?: boolean | undefined;
  /** `first`: the creator is asked before anything else; `instead`: whoever does not pay can ask. */
  approval?: 'first' | 'instead' | undefined;
}

const approval: Condition = { kind: 'approval' };

/** An offer asks for this much at most. */
export const mostConditions = 3;

/** Returns the offers that say the same as these ways; a link that asks for nothing is free. */
export function offersOf(ways: Ways): Policy['offers'] {
  const { isAll = false, approval: yes } = ways;
  const asked = conditionsOf(ways);
  const first = yes === 'first' ? [approval] : [];
  if (asked.length === 0) return yes === undefined ? [free] : [{ id: 'ask', all: [approval] }];
  const instead: Policy['offers'] = yes === 'instead' ? [{ id: 'ask', all: [approval] }] : [];
  if (isAll && asked.length > 1)
    return [{ id: 'all', all: [...first, ...asked.map(([, condition]) => condition)] }, ...instead];
  return [...asked.map(([id, condition]) => ({ id, all: [...first, condition] })), ...instead];
}

const free: Offer = { id: 'free', all: [{ kind: 'free' }] };

function conditionsOf({ priceCents, tipCents, tierIds }: Ways): [id: string, condition: Condition][] {
  return [
    ...(priceCents === undefined ? [] : [['pay', { kind: 'pay', priceCents }] as [string, Condition]]),
    ...(tipCents === undefined ? [] : [['tip', { kind: 'tip', minCents: tipCents }] as [string, Condition]]),
    ...(tierIds === undefined ? [] : [['fans', { kind: 'fan_sub', tierIds: [...tierIds] }] as [string, Condition]]),
  ];
}

/** Returns the ways that say the same as these offers; undefined for offers that the sheet has no words for. */
export function waysOf(offers: Policy['offers']): Ways | undefined {
  const isAlone = ({ all }: Offer) => all.every(({ kind }) => kind === 'approval');
  const paid = offers.filter((offer) => !isAlone(offer)).map(({ all }) => all.filter(({ kind }) => kind !== 'free'));
  const money = paid.flatMap((all) => all.filter(({ kind }) => kind !== 'approval'));
  const ways: Ways = Object.assign(
    {},
    ...money.map((condition) => {
      if (condition.kind === 'pay') return { priceCents: condition.priceCents };
      if (condition.kind === 'tip') return { tipCents: condition.minCents };
      return condition.kind === 'fan_sub' ? { tierIds: condition.tierIds } : {};
    }),
  );
  if (paid.some((all) => all.length > 1 && all.filter(({ kind }) => kind !== 'approval').length > 1)) ways.isAll = true;
  if (offers.some(isAlone)) ways.approval = money.length === 0 ? 'first' : 'instead';
  else if (paid.some((all) => all.some(({ kind }) => kind === 'approval'))) ways.approval = 'first';
  return isSame(offersOf(ways), offers) ? ways : undefined;
}

const nameCondition = (condition: Condition): string => JSON.stringify(condition, Object.keys(condition).sort());
const namesOf = (offers: Policy['offers']): string =>
  offers
    .map(({ all }) =>
      all
        .filter(({ kind }) => kind !== 'free')
        .map(nameCondition)
        .sort()
        .join('&'),
    )
    .sort()
    .join('|');
const isSame = (a: Policy['offers'], b: Policy['offers']): boolean => namesOf(a) === namesOf(b);

/** Returns the sentence that says why offers make no sense together; undefined for those that do. */
export function findOfferFault({ offers }: Pick<Policy, 'offers'>): string | undefined {
  const kinds = offers.map(({ all }) => all.map(({ kind }) => kind).filter((kind) => kind !== 'free'));
  if (kinds.some((asked) => asked.length === 0) && kinds.some((asked) => asked.length > 0))
    return "A link can't be free and ask for something.";
  if (kinds.some((asked) => new Set(asked).size < asked.length)) return 'One way in asks for each thing once.';
  const sets = kinds.map((asked) => [...asked].sort().join('+'));
  // Of two that ask for the same, everybody would take the cheaper one.
  if (new Set(sets).size < sets.length) return "Two ways in can't ask for the same.";
  if (new Set(offers.map(({ id }) => id)).size < offers.length) return 'Each way in needs a name of its own.';
  return undefined;
}
