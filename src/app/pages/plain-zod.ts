/*
 * Zod tries to compile its checks with `new Function`, which our pages forbid: each try is reported as a violation. It reads this as
 * soon as a shape is made, which may be before the module that asked for the shape has run; so this needs nothing of Zod's, and
 * stands at the very beginning of a page's program.
 */
const place = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
// Where Zod has run before, it keeps this very object: it is changed, not replaced.
place.__zod_globalConfig ??= {};
place.__zod_globalConfig.jitless = true;
