import { BlockList } from 'node:net';

type Network = readonly [address: string, bits: number];

/** This machine, private networks and those between a provider and its customers. */
const local: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** Those that are kept for documentation, measuring, groups of receivers and the future. */
const unassigned: readonly Network[] = [
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 128],
  ['ff00::', 8],
  ['2001:db8::', 32],
];

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, familyOf(address));
  return list;
}

const [locals, reserved] = [listOf(local), listOf([...local, ...unassigned])];

/** Returns whether an address is a proxy's or this machine's own: it does not tell who calls. */
export const isLocalAddress = (address: string): boolean => locals.check(address, familyOf(address));

/** Whether an address lies in no country: a local one, or one of a reserved network (RFC 6890). */
export const isReservedAddress = (address: string): boolean => reserved.check(address, familyOf(address));
