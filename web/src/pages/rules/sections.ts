/** Where the rules speak of each kind of question. A test holds every one of them to the rules' text. */
import { to } from "../../frame/places";

export interface Section {
    /** The anchor of the section. */
    id: string;
    title: string;
}

const section = (id: string, title: string): Section => ({ id, title });

const TO_PLACE = section("2-setting-up", "Setting up");
const OPTIONS = section("0-presets-and-options", "Presets and options");
const SPECIALS = section("11-special-cards", "Special cards");
const BATTLE = section("5-a-battle", "A battle");
const IN_ORDER = section("62-the-texts-in-order-b7", "The texts in order");

const CONFRONTATION: Record<string, Section> = {
    "battle.card": section("6-cards", "Cards"),
    "battle.dark_text": section("52-darks-text-b4", "Dark's text"),
    "battle.escape": section("b9", "A battle, B9"),
    "battle.exchange": section("b6", "A battle, B6"),
    "battle.good_text": section("51-goods-text-b3", "Good's text"),
    "battle.magic": IN_ORDER,
    "battle.retreat_to": section("7-retreats", "Retreats"),
    "battle.support": section("51-goods-text-b3", "Good's text"),
    "battle.target": BATTLE,
    "setup.draft": OPTIONS,
    "setup.place": TO_PLACE,
    "setup.specials": SPECIALS,
    "special.expose": SPECIALS,
    "special.gwaihir": SPECIALS,
    "special.palantir": SPECIALS,
    "tunnel.ambush": section("4-movement", "Movement"),
    "turn.move": section("4-movement", "Movement"),
};

const asked = (number: number): Section => section(`d${number}`, `What you are asked, D${number}`);

const DUEL: Record<string, Section> = {
    "alliance.keep": asked(7),
    "alliance.race": asked(8),
    "alliance.three": asked(15),
    "armies.build": asked(12),
    "armies.move": asked(4),
    "armies.place": asked(2),
    "armies.place_freely": asked(3),
    "armies.raze": asked(6),
    "armies.remove": asked(5),
    "chapter.landmark": section("6-resolving-the-choice", "Resolving the choice"),
    "discard.play": asked(10),
    "discard.strip": asked(9),
    "maneuver.choose": asked(11),
    "quest.advance": asked(13),
    "turn.again": asked(14),
    "turn.choose": section("41-the-choice", "The choice"),
};

const SETUP = section("3-setup", "Setup");
const WAYS = section("31-ways-to-set-up", "Ways to set up");
const INVASION = section("61-how-an-invasion-goes", "How an invasion goes");
const FORTIFYING = section("8-fortifying", "Fortifying");
const LEADERS = section("7-leaders", "Leaders");
const POWERS = section("95-events-and-power-cards", "Events and power cards");
const RECEIVING = section("5-receiving-battalions", "Receiving battalions");

const RISK: Record<string, Section> = {
    "adventure.discard": section("92-adventure-cards", "Adventure cards"),
    "card.bear": POWERS,
    "card.bridge": POWERS,
    "card.defect": POWERS,
    "card.faramir": POWERS,
    "card.leader": POWERS,
    "card.withdraw": POWERS,
    "combat.battle": INVASION,
    "combat.defence": INVASION,
    "combat.invade": INVASION,
    "conquest.follow": INVASION,
    "fortify.count": FORTIFYING,
    "fortify.march": FORTIFYING,
    "leader.appoint": LEADERS,
    "leader.replace": LEADERS,
    "mission.place": section("94-missions", "Missions"),
    "reinforce.place": RECEIVING,
    "reinforce.set": RECEIVING,
    "setup.batch": WAYS,
    "setup.claim": SETUP,
    "setup.leader": SETUP,
    "setup.place": SETUP,
    "window.play": section("93-when-cards-are-played", "When cards are played"),
};

const ASKED = section("22-what-you-are-asked", "What you are asked");
const EVENTS = section("16-event-cards", "Event cards");
const ROUND = section("112-a-round-of-battle", "A round of battle");

const WAR: Record<string, Section> = {
    "army.detach": section("111-how-a-battle-begins", "How a battle begins"),
    "army.march": section("7-moving-armies", "Moving armies"),
    "battle.casualties": ROUND,
    "battle.combat_card": section("17-combat-cards", "Combat cards"),
    "chance.action_dice": section("4-the-turn", "The turn"),
    "chance.card": EVENTS,
    "chance.companion": section("14-the-hunt", "The Hunt"),
    "chance.discard": EVENTS,
    "chance.tile": section("the-tiles", "The tiles"),
    "choose.one": ASKED,
    "companions.gather": section("8-moving-characters", "Moving characters"),
    "event.card": EVENTS,
    "event.pay": EVENTS,
    "hand.discard": section("p1", "The turn, P1"),
    "hand.swap": section("192-team-mates", "Team-mates"),
    "muster.recruit": section(
        "9-recruiting-and-characters-who-enter-play",
        "Recruiting, and characters who enter play",
    ),
    "stacking.remove_excess": section("7-6", "Moving armies, 7.6"),
    "turn.action": section("6-what-dice-do", "What dice do"),
};

export const SECTIONS: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
    confrontation: CONFRONTATION,
    duel: DUEL,
    risk: RISK,
    warofthering: WAR,
};

/** A link to where the rules speak of a kind of question, if they are here. */
export function rulesOf(game: string, prompt: string): { href: string; title: string } | undefined {
    const its = Object.hasOwn(SECTIONS, game) ? SECTIONS[game] : undefined;
    const found = its && Object.hasOwn(its, prompt) ? its[prompt] : undefined;
    return found && { href: to.rules(game, found.id), title: `Rules: ${found.title}` };
}
