/** Returns the name that a creator sees of a viewer without one of their own: "Viewer 4F2A". @param pseudonym the id that this creator is given */
export const nameViewer = (pseudonym: string, given: string | null): string =>
  given ?? `Viewer ${pseudonym.slice(-4).toUpperCase()}`;
