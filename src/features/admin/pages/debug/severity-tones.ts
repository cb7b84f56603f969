/** How errors look by how bad they are. */
export const severityTones = { warning: 'plain', error: 'ember', critical: 'rust' } as const;
