const name = 'pf.wanted';

/** Remembers on this tab where somebody wanted to go before the checkout came in between; storage may be denied. */
export function keepWanted(page: string | undefined): void {
  try {
    if (page === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, page);
  } catch {
    // Then the setup leads home.
  }
}

export function readWanted(): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
