import { config } from 'zod/v4/core';

// Zod tries to compile its checks with `new Function`, which our pages forbid: each try is reported as a violation.
config({ jitless: true });
