/** The messages that are views: a message itself does not carry what its fields are. */
import type { DescMessage, Message } from "@bufbuild/protobuf";

const known = new Map<string, DescMessage>();

export function know(schema: DescMessage): void {
    known.set(schema.typeName, schema);
}

export function schemaOf(view: Message): DescMessage | undefined {
    return known.get(view.$typeName);
}
