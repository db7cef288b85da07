/** What the viewer has said beforehand, and the names by which it is changed. */
import { doing, type Explained } from "../../parts/touching";
import type { Board } from "./facts";
import { own } from "./owners";

export interface Order {
    key: string;

    /** Any of these changes it. */
    nouns: readonly string[];
    text: string;
    isOn: boolean;
    about: Explained;
}

export function ordersOf(view: Board): Order[] {
    const player = own(view);
    const orders = player?.orders;
    if (!player || !orders) return [];
    const order = (
        key: string,
        nouns: readonly string[],
        isOn: boolean,
        [on, off, why]: readonly [string, string, string],
    ): Order => {
        const text = isOn ? on : off;
        return { key, nouns, text, isOn, about: { title: text, lines: [why] } };
    };
    return [
        order("attacked", ["attacked"], orders.attacked, [
            "Attacked: asked for cards",
            "Attacked: not asked",
            "Whether you are asked for cards when you are attacked.",
        ]),
        order("fellowship", ["fellowship"], orders.fellowship, [
            "Ring moves: asked for cards",
            "Ring moves: not asked",
            "Whether you are asked for cards when the Ring is about to move.",
        ]),
        order("missions", ["keep_missions", "complete_missions"].map(doing), orders.keepsMissions, [
            "Missions: kept",
            "Missions: turned in at once",
            "What becomes of a mission whose territory a Leader of yours enters.",
        ]),
        order("stands", ["hold", "release"].map(doing), player.stands ?? false, [
            "Defence: two dice, unasked",
            "Defence: asked each time",
            "Whether you say each time with how many dice you defend.",
        ]),
        ...(orders.rests
            ? [
                  order("rests", [], true, [
                      "Not asked any more this turn",
                      "",
                      "You have let all cards pass until this turn ends.",
                  ]),
              ]
            : []),
    ];
}
