import { useQuery } from '@tanstack/react-query';
import { isolate } from '#kit/text.ts';
import { referrals } from './referral-calls.tsx';

/** Says who invited this account, when a partner did, and for as long as they get a share of what it pays; it pays no more for that. */
export function InvitedBy() {
  const { data } = useQuery(referrals.invitedBy.queryOptions({ input: {} }));
  if (data?.name == null) return null;
  const share = data.getsShare
    ? ' They get a share of what you pay for your plan, from our part; what you keep of your own income never changes.'
    : '';
  return <p className="text-13 text-quiet">{`You were invited by ${isolate(data.name)}.${share}`}</p>;
}
