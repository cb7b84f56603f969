import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const mailedToken = /^#(\w{43})$/;

/** The secret of a mailed link stands behind the `#`, where no server and no referrer sees it; it is taken out of the address at once. */
export function useMailedToken(): string | undefined {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const [kept, setKept] = useState<{ token: string; search: string }>();
  const [, inAddress] = mailedToken.exec(hash) ?? [];
  useEffect(() => {
    if (inAddress === undefined) return;
    setKept({ token: inAddress, search });
    void navigate({ search }, { replace: true, state });
  }, [inAddress, search, state, navigate]);
  return inAddress ?? (kept?.search === search ? kept.token : undefined);
}
