import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { type AnyRouter, traverseContractProcedures } from '@orpc/server';

/** A procedure as its addresses name it. */
export interface NamedProcedure {
  /** Its room and its own name: "links.revoke". */
  name: string;
  definition: AnyContractProcedure['~orpc'];
}

/** Finds the procedure of a call by its method and path; undefined for an address that none has. */
export type ProcedureAt = (method: string, pathname: string) => NamedProcedure | undefined;

/** Reads both addresses of every procedure: the one of our own pages and the one of the documented API. */
export function readAddresses(router: AnyRouter): ProcedureAt {
  const exact = new Map<string, NamedProcedure>();
  const withIds: { method: string; path: RegExp; named: NamedProcedure }[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    if (!isContractProcedure(contract)) return;
    const definition = (contract as AnyContractProcedure)['~orpc'];
    const named = { name: path.join('.'), definition };
    exact.set(`/rpc/${path.join('/')}`, named);
    const { method = 'POST', path: address = '' } = definition.route;
    if (!address.includes('{')) exact.set(`${method} /api/v1${address}`, named);
    else withIds.push({ method, path: new RegExp(`^/api/v1${address.replaceAll(/\{\w+\}/g, '[^/]+')}$`), named });
  });
  return (method, pathname) =>
    exact.get(pathname) ??
    exact.get(`${method} ${pathname}`) ??
    withIds.find((one) => one.method === method && one.path.test(pathname))?.named;
}
