/** The release of Bree that this page was built with: vite.config.ts reads it where Python does. */
declare const __RELEASE__: string;

export const release = __RELEASE__;
