import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** What stands over a page and has a place in its address. */
interface Over {
  /** What is open; undefined when nothing is. */
  value: string | undefined;
  open: (value: string) => void;
  /** Another one in the place of the open one: Back leads to the page, not through all of them. */
  turnTo: (value: string) => void;
  close: () => void;
}

const readAddress = (name: string) => new URLSearchParams(window.location.search).get(name);

/**
 * Opens something over a page by a word of its address: Back closes it, which is how a phone closes anything, and a reload finds
 * it again.
 * @param name the word, as in `?photo=…`
 */
export function useOver(name: string): Over {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const isOnTop = (state as { over?: string } | null)?.over === name;
  const write = (value: string | undefined, way: { replace: boolean; state: unknown }) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { ...way, preventScrollReset: true },
    );
  return {
    value: search.get(name) ?? undefined,
    // A second click may come before the first has been drawn: Back would lead to the same thing once more.
    open: (value) => {
      if (readAddress(name) !== value) write(value, { replace: false, state: { over: name } });
    },
    turnTo: (value) => write(value, { replace: true, state }),
    // Where it came from is one step back; whoever came by its address stays on the page.
    close: () => {
      if (isOnTop) void navigate(-1);
      else write(undefined, { replace: true, state: null });
    },
  };
}
