/** Where the SharedWorker is: vite.config.ts makes this module. */
declare module "virtual:news-worker" {
    const url: string;
    export default url;
}
