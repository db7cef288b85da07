/** The charts of a match are told once; each later view is shown with them. */
import type { Message } from "@bufbuild/protobuf";

export class Charts {
    private kept: unknown;

    added<M extends Message>(view: M, hasCharts: boolean): M {
        if (hasCharts && "charts" in view) this.kept = view.charts;
        return this.kept === undefined ? view : { ...view, charts: this.kept };
    }
}
