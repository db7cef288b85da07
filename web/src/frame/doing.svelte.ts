/** What a button does: that it is being done, and why it was refused. */
import type { Refusal } from "../wire/contract";
import { refusalOf } from "../wire/refusal";

export class Doing {
    /** What is being done; empty if nothing is. */
    busy = $state.raw("");
    refusal: Refusal | undefined = $state.raw();

    /** Does it, and tells whether it was done; nothing is begun while something else is being done. */
    async run(call: () => Promise<unknown>, what = "it"): Promise<boolean> {
        if (this.busy) return false;
        this.busy = what;
        this.refusal = undefined;
        try {
            await call();
            return true;
        } catch (error) {
            this.refusal = refusalOf(error);
            return false;
        } finally {
            this.busy = "";
        }
    }

    /** Nothing was refused any more: somebody has begun anew. */
    forget(): void {
        this.refusal = undefined;
    }
}
