/** What a drawn board is to the page: a picture of a view whose things can be touched.
 *
 * Design. A drawing knows no question and no network. Everything drawn that an action can speak of
 * is wrapped in `parts/Touch.svelte` with its noun, as the texts of actions have it; what is lit, and
 * what a touch does, comes from outside (`parts/touching.ts`). So a board has no input code, and a
 * game without a drawing is played on the plain board of names, counts and lists.
 */
import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import type { Component } from "svelte";

/** Something that was seen to happen. */
export interface Told {
    /** As the event has it, such as "battle_fought". */
    kind: string;
    facts?: JsonObject | undefined;
}

export interface BoardProps<V> {
    /** The position as one viewer may know it: the game's own message. */
    view: V;

    /** The seat through whose eyes it is seen; "" for a spectator. */
    viewer: string;

    /** What has happened until now, the newest last: dice that fell are in no view. */
    told?: readonly Told[];
}

export interface Picture<V> extends BoardProps<V> {
    /** How wide the picture is, in CSS pixels; narrow ones are laid out for a phone. */
    width: number;
}

export interface Board<D extends DescMessage = DescMessage> {
    /** The message of the view. */
    schema: D;

    /** The board on the page. */
    component: Component<BoardProps<MessageShape<D>>>;

    /** All of it as a single <svg>, which needs no browser; absent where there is no drawing. */
    picture?: Component<Picture<MessageShape<D>>>;

    /** What people call a noun, if the board knows it. */
    nameOf?: (noun: string) => string | undefined;
}
