/** The verifier at work, beside the page. */
import { verify, type Kept } from "../../../clients/ts/verify";

addEventListener("message", ({ data }: MessageEvent<{ file: Uint8Array; kept: Kept }>) => {
    postMessage(verify(data.file, data.kept));
});
