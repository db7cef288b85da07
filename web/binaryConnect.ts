import type { Plugin } from "vite";

const bare = "\0binary-connect";

/** Connect as this page speaks it, which is binary: what it would take to speak JSON is left out. */
export function binaryConnect(): Plugin {
    return {
        name: "bree-binary-connect",
        apply: "build",
        enforce: "pre",
        resolveId: (id, importer) =>
            id === "@bufbuild/protobuf" && importer?.includes("/node_modules/@connectrpc/")
                ? bare
                : undefined,
        load: (id) =>
            id === bare
                ? `export * from "@bufbuild/protobuf";
                   const none = () => { throw new Error("this page speaks no JSON"); };
                   export { none as fromJson, none as fromJsonString, none as toJson,
                            none as toJsonString, none as mergeFromJson };`
                : undefined,
    };
}
