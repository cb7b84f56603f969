/** Who acts on the installation: an administrator, or the command line. */
export type Acting = { type: 'admin'; id: string; requestId?: string } | { type: 'system' };
