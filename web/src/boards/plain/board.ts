/** The plain board: names, counts and lists, for every game that has none drawn. */
import type { DescMessage } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import type { Board } from "../contract";
import { nameOf } from "./names";
import PlainBoard from "./PlainBoard.svelte";
import { know } from "./schemas";

/** A plain board for views that are this message. */
export function plainBoard(schema: DescMessage): Board {
    know(schema);
    return { schema, component: PlainBoard, nameOf };
}

export const board: Board = plainBoard(StructSchema);
