/** What an object of the provider is. */
export type ObjectKind =
  | 'account'
  | 'charge'
  | 'checkout'
  | 'customer'
  | 'dispute'
  | 'fraud_warning'
  | 'invoice'
  | 'payment'
  | 'payout'
  | 'refund'
  | 'subscription';

const kinds = new Map<string, ObjectKind>([
  ['acct', 'account'],
  ['ch', 'charge'],
  // Of what is not paid by card.
  ['py', 'charge'],
  ['cs', 'checkout'],
  ['cus', 'customer'],
  ['du', 'dispute'],
  ['dp', 'dispute'],
  ['issfr', 'fraud_warning'],
  ['in', 'invoice'],
  ['pi', 'payment'],
  ['po', 'payout'],
  ['re', 'refund'],
  ['pyr', 'refund'],
  ['sub', 'subscription'],
]);

/** The kind of an object, by its name; undefined for what nobody here asks about. */
export const kindOf = (objectId: string): ObjectKind | undefined => kinds.get(objectId.split('_', 1)[0] ?? '');
