/** The battle as a stage: what is told of each side, and where it stands. */
import type { Battle, Board } from "$gen/bree/confrontation/v1/board_pb";
import { CARDS, CHARACTERS, TITLE, otherSide, sideNamed, within, type SideName } from "./facts";
import { broken } from "./letters";

export const STAGE = { top: 28, plate: 32, card: 64, cardWidth: 76, text: 12, line: 15.5 };

export interface Fighter {
    side: SideName;
    role: string;
    character?: string;
    /** The open card. */
    card?: string;
    /** What it counts as, where that is another. */
    becomes?: string;
    /** A card is chosen and not open; the viewer's own is known to him. */
    sealed: boolean;
    own?: string;
    /** What the character and the card say, in lines. */
    text: readonly string[];
}

export interface Stage {
    title: string;
    noCards: boolean;
    left: Fighter;
    right: Fighter;
    height: number;
}

export function stageOf(view: Board, battle: Battle, width: number): Stage {
    const attacking = sideNamed(battle.attacking) ?? "good";
    const half = width / 2 - 14;
    const left = fighter(view, battle, attacking, half);
    const right = fighter(view, battle, otherSide(attacking), half);
    const lines = Math.max(left.text.length, right.text.length);
    const cards = battle.noCards ? 24 : STAGE.card + 24;
    return {
        title: `Battle in ${within(battle.region)}`,
        noCards: battle.noCards,
        left,
        right,
        height: STAGE.top + 18 + STAGE.plate + 10 + cards + lines * STAGE.line + 12,
    };
}

function fighter(view: Board, battle: Battle, side: SideName, width: number): Fighter {
    const attacks = side === sideNamed(battle.attacking);
    const character = attacks ? battle.attacker : battle.defender;
    const card = battle.cards?.[side];
    const counts = battle.inForce?.[side];
    const becomes = counts && counts !== card ? counts : undefined;
    const own = sideNamed(view.side) === side ? battle.yourCard : undefined;
    return {
        side,
        role: `${TITLE[side]} ${attacks ? "attacks" : "defends"}`,
        ...(character ? { character } : {}),
        ...(card ? { card } : {}),
        ...(becomes ? { becomes } : {}),
        ...(own ? { own } : {}),
        sealed: side === "good" ? battle.goodSealed : battle.darkSealed,
        text: [...powerOf(character, width), ...textOf(becomes ?? card, width)],
    };
}

const powerOf = (character: string | undefined, width: number): string[] => {
    const printed = CHARACTERS.get(character ?? "");
    return printed ? broken(`${printed.short}: ${printed.text}`, width, { size: STAGE.text }) : [];
};

const textOf = (id: string | undefined, width: number): string[] => {
    const card = CARDS.get(id ?? "");
    if (!card || card.value) return [];
    return broken(`${card.short}: ${card.text}`, width, { size: STAGE.text });
};
