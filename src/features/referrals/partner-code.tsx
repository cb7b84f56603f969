import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { FormError } from '#ui/forms/use-form.tsx';
import { referrals } from './referral-calls.tsx';
import { isPartnerCode } from './rules.ts';

const landing = '/signup';

/** A partner's code on the form of a trial: one that came with the address, or one that is typed. */
export interface PartnerCodeState {
  /** By what name the partner is known whose link led here. */
  name: string | undefined;
  code: string;
  setCode: (code: string) => void;
  fault: string | undefined;
  /** Remembers what was typed. @throws FormError for a code that nobody has */
  send: () => Promise<void>;
}

/** @param ref the code in the address; none is asked about when it is empty */
export function usePartnerCode(ref: string): PartnerCodeState {
  const asked = ref.trim().toUpperCase();
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const { data } = useQuery({
    queryKey: ['followed', asked],
    queryFn: () => referrals.follow.call({ code: asked, landing }),
    enabled: isPartnerCode(asked),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Where nothing is remembered of who follows a link, its code stands in the form instead.
  const isUnkept = data !== undefined && data.name !== null && !data.isKept;
  const code = typed ?? (isUnkept ? asked : '');
  return {
    name: data?.name ?? undefined,
    code,
    setCode: (next) => {
      setTyped(next);
      setFault(undefined);
    },
    fault,
    send: async () => {
      if (code.trim() === '') return;
      try {
        await referrals.follow.call({ code, isTyped: true, landing });
      } catch (error) {
        // Whatever else is wrong with a code keeps nobody from signing up.
        if (!(error instanceof ORPCError) || error.code !== 'VALIDATION') return;
        setFault("We don't know this code.");
        throw new FormError("We don't know this code.");
      }
    },
  };
}

/** Says who invited whoever is here, and takes a code that they were told. */
export function PartnerCode({ partner: { name, code, setCode, fault } }: { partner: PartnerCodeState }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {name !== undefined && <p className="font-medium">{`Invited by ${isolate(name)}`}</p>}
      {isOpen || code !== '' ? (
        <Field
          label="Partner code"
          hint="From whoever told you about us. It changes nothing about the price."
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={12}
          value={code}
          onChange={({ target }) => setCode(target.value)}
          error={fault}
        />
      ) : (
        <div>
          <Button variant="bare" onClick={() => setOpen(true)}>
            {name === undefined ? 'I have a partner code' : 'Use another code'}
          </Button>
        </div>
      )}
    </>
  );
}
