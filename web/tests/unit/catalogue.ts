/** The catalogue as the four engines describe themselves, for tests that need real options. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { DescribeGameResponseSchema } from "$gen/bree/engine/v1/engine_pb";
import described from "./catalogue.json" with { type: "json" };

export const catalogue = (described as JsonValue[]).map((game) =>
    fromJson(DescribeGameResponseSchema, game),
);
