/** Returns the name that a creator sees of a viewer without one of their own: "Viewer 4F2A". */
export const nameViewer = (viewerId: string, given: string | null): string =>
  given ?? `Viewer ${viewerId.slice(-4).toUpperCase()}`;
