// Checks the record of a match without knowing its game, as docs/record.md and docs/fairness.md say.
// It needs only TextDecoder and TextEncoder, so it runs in Node and in a page; it waits for nothing.

const largest = 4_000_000; // characters

/** No record has more bytes than this. */
export const largestBytes = 4 * largest;

/** What was published or told about a match while it was played, and has been kept. */
export interface Kept {
  commitment?: string;
  nonces: ReadonlyArray<readonly [seat: string, nonce: string]>;
  heads: ReadonlyArray<readonly [revision: number, head: string]>;
}

/** Checks all of a record that can be checked without rules, and says one sentence for each check;
 * of a record that does not hold, one sentence that says where and why. */
export function verify(file: Uint8Array, kept: Kept): { holds: boolean; said: string[] } {
  try {
    return { holds: true, said: new Check(textOf(file), kept).run() };
  } catch (error) {
    if (error instanceof Fault) return { holds: false, said: [error.message] };
    throw error;
  }
}

class Fault extends Error {}

function textOf(file: Uint8Array): string {
  const tooLarge = new Fault(`The file has more than ${largest} characters, so it is no record.`);
  if (file.length > largestBytes) throw tooLarge;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    throw new Fault("The file is not UTF-8 text, so it is no record.");
  }
  let more = text.length - largest;
  // What lies beyond U+FFFF counts twice in a length.
  for (let at = 0; more > 0 && at < text.length; at++) more -= text.codePointAt(at)! > 0xffff ? 1 : 0;
  if (more > 0) throw tooLarge;
  if (!text.endsWith("\n")) throw new Fault("The file is torn: no line feed ends its last line.");
  return text;
}

// All forms are anchored and have no repeated alternatives: a hostile line costs no more than its length.
const [name, nonce, hash] = ["([a-z][a-z0-9_]{0,39})", "((?:[0-9a-f]{2}){1,64})", "([0-9a-f]{64})"];
const form = (text: string): RegExp => new RegExp(`^${text}$`);
const gameForm = form(`game ${name}`);
const editionForm = form("edition ([1-9][0-9]{0,5})");
const optionForm = form(`option ${name} [a-z0-9_]{1,40}`);
const seatForm = form(`seat ${name} ${nonce}(?: ${hash})?`);
const commitmentForm = form(`commitment ${hash}`);
const playerForm = form(`player ${name} ${nonce} (.*)`);
const secretForm = form(`secret ${hash}`);
const entryForm = form(`${name}([:!]) ([a-z][a-z0-9_ ]{0,399})(?: \\[([^\\]]*)\\])? ~[0-9a-f]{8}`);
const hostForm = form(`(?:abort|draw|(resign|expire|undo|takeback) ${name}(?: (0|[1-9][0-9]{0,6}))?)`);
const drawForm = form("([1-9][0-9]{0,19}) of ([1-9][0-9]{0,19})");
const endingForm = form("(finished|open|aborted) (0|[1-9][0-9]{0,6})((?: .*)?)");
const scoreForm = form("(?:0|-?[1-9][0-9]{0,5})");
const headForm = form(`head ${hash}`);
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Whether a text is the name of a seat, a nonce, or a commitment or head, as records have them. */
export const isName = (text: string): boolean => form(name).test(text);
export const isNonce = (text: string): boolean => form(nonce).test(text);
export const isHash = (text: string): boolean => form(hash).test(text);

interface Seat {
  nonce: string;
  mark?: string | undefined;
  isNamed: boolean;
  offer: number; // the last one that it made
  decisions: number[]; // those that stand, by the revisions at which they were made
}

/** The check of one record, in one go from its first line to its last. */
class Check {
  private at = 0; // where in the text the next line begins
  private line = 0; // the number of the line that was read last
  private readonly header: string[] = [];
  private readonly seats = new Map<string, Seat>();
  private readonly heads = new Map<number, string[]>(); // those that were kept, by revision
  private entries = 0;
  private readonly decided: Seat[] = []; // by whom, of decisions that stand
  private readonly offers = new Map<number, string>(); // what was proposed, and whether for a seat
  private agreed = ""; // what the entry before accepts
  private forfeited = 0; // from here on decisions can be taken back
  private draws = 0;
  private seed = new Key(new Uint8Array());
  private key = this.seed;
  private head: Uint8Array = new Uint8Array();

  constructor(private readonly text: string, private readonly kept: Kept) {
    for (const [revision, head] of kept.heads) {
      this.heads.set(revision, [...(this.heads.get(revision) ?? []), head]);
    }
  }

  run(): string[] {
    const match = this.readMatch();
    const promised = this.checkPromises();
    while (!this.begins("\n")) this.checkEntry();
    this.read(/^$/, "");
    const ending = this.checkEnding();
    return [
      `Form: ${match}, ${ending} after ${this.entries} entries, is written as a record has to be.`,
      ...promised,
      `Draws: all ${this.draws} were computed again from the secret and the nonces.`,
      `Players: ${this.players()}.`,
      "Head: header, entries and ending give the head that the record ends with.",
      this.kept.heads.length
        ? `Kept heads: ${this.kept.heads.length} were compared, and all are on the way to that head.`
        : "Kept heads: none was given, so a record that was made anew as a whole would not be noticed.",
    ];
  }

  // Lines.

  private begins(start: string): boolean {
    return this.text.startsWith(start, this.at);
  }

  /** The parts of the next line, which must have this form. */
  private read(form: RegExp, wanted: string): RegExpExecArray {
    this.line += 1;
    const end = this.text.indexOf("\n", this.at);
    if (end < 0) throw this.fault("the record ends too early");
    const parts = form.exec(this.text.slice(this.at, end));
    if (!parts) throw this.fault(wanted);
    this.at = end + 1;
    return parts;
  }

  private fault(why: string, line = this.line): Fault {
    return new Fault(`Line ${line}: ${why}.`);
  }

  // The header.

  private readMatch(): string {
    const [, formed] = this.read(/^bree record ([12])$/, "a record begins with `bree record 2`");
    if (formed === "1") throw this.fault("a record of form 1 has no head, and is not checked here");
    const [first, game] = this.read(gameForm, "`game NAME` belongs here");
    const [second, number] = this.read(editionForm, "`edition NUMBER` belongs here");
    this.header.push("bree record 2", first, second!);
    const options = new Set<string>();
    while (this.begins("option ")) {
      const [line, option = ""] = this.read(optionForm, "an option is `option NAME VALUE`");
      if (options.has(option)) throw this.fault(`the option ${option} is there twice`);
      options.add(option);
      this.header.push(line);
    }
    while (this.begins("seat ")) this.readSeat();
    return `${game}, edition ${number}`;
  }

  private readSeat(): void {
    const [line, seat = "", nonce = "", mark] = this.read(seatForm, "a seat is `seat NAME NONCE MARK`");
    const isTaken = seat === "chance" || seat === "host" || this.seats.has(seat);
    if (isTaken) throw this.fault(`no other seat may be called ${seat}`);
    this.seats.set(seat, { nonce, mark, isNamed: false, offer: 0, decisions: [] });
    this.header.push(line);
  }

  private readPlayer(): void {
    const [, at = "", salt = "", person = ""] = this.read(playerForm, "`player SEAT SALT NAME` belongs here");
    const seat = this.seats.get(at);
    if (!seat?.mark || seat.isNamed) throw this.fault("a player sits at a seat with a mark, and alone");
    if (!person || person !== person.trim() || unprintable.test(person)) {
      throw this.fault("a player's name is printable text without spaces around it");
    }
    const mark = sha256(utf8("bree player 1\n"), bytes(salt), utf8(person));
    if (hex(mark) !== seat.mark) throw this.fault(`name and salt do not give the mark of ${at}`);
    seat.isNamed = true;
  }

  private players(): string {
    const names = (fits: (seat: Seat) => unknown): string =>
      [...this.seats].filter(([, seat]) => fits(seat)).map(([name]) => name).join(", ") || "nobody";
    const [named, bare] = [names((seat) => seat.isNamed), names((seat) => seat.mark && !seat.isNamed)];
    return `name and salt give the mark of ${named}; marks without a name have ${bare}`;
  }

  // What was promised.

  /** Reads the rest of the header, compares it with what was kept, and makes ready for the entries. */
  private checkPromises(): string[] {
    const [line, commitment = ""] = this.read(commitmentForm, "a seat or `commitment HEX` belongs here");
    if (!this.seats.size) throw this.fault("there are no seats before the commitment");
    this.header.push(line);
    while (this.begins("player ")) this.readPlayer();
    const secret = bytes(this.read(secretForm, "`secret HEX` belongs here")[1]!);
    if (hex(sha256(utf8("bree commitment 1\n"), secret)) !== commitment) {
      throw this.fault("this is not the secret that was committed to");
    }
    this.read(/^$/, "an empty line ends the header");
    this.begin(new Key(secret));
    return [`Commitment: ${this.compareCommitment(commitment)}.`, `Nonces: ${this.compareNonces()}.`];
  }

  private begin(secret: Key): void {
    const nonces = [...this.seats.values()].map(({ nonce }) => hex([nonce.length / 2]) + nonce);
    this.seed = new Key(secret.hmac(utf8("bree seed 1\n"), bytes(nonces.join(""))));
    this.key = new Key(secret.hmac(utf8("bree chain 1\n")));
    this.head = this.key.hmac(utf8(this.header.join("\n")));
    this.compareHeads();
  }

  private compareCommitment(commitment: string): string {
    const kept = this.kept.commitment;
    if (kept === undefined) return "the secret gives it; none was given that was published before";
    if (kept !== commitment) throw new Fault(`The commitment is not the one kept, ${kept}.`);
    return "the secret gives it, and it is the one that was kept";
  }

  private compareNonces(): string {
    for (const [at, nonce] of this.kept.nonces) {
      const seat = this.seats.get(at);
      if (!seat) throw new Fault(`There is no seat ${at}, of which a nonce was kept.`);
      if (seat.nonce !== nonce) throw new Fault(`The nonce of ${at} is not the one kept, ${nonce}.`);
    }
    const seats = new Set(this.kept.nonces.map(([at]) => at));
    return seats.size
      ? `${[...seats].join(", ")} had the kept one, of ${this.seats.size} seats`
      : "none was given that a seat sent";
  }

  // The entries.

  private checkEntry(): void {
    const parts = this.read(entryForm, "an entry is `WHO: WHAT ~DIGEST`, or has a ! for the colon");
    const [line, who = "", sign, what = "", draws] = parts;
    if (what.endsWith(" ") || what.includes("  ")) throw this.fault("words have one space between them");
    const isKnown = who === "chance" || who === "host" || this.seats.has(who);
    if (!isKnown) throw this.fault(`there is no seat ${who}`);
    const seat = this.seats.get(who);
    if (who === "host" && sign === ":") this.checkHost(what);
    if (seat && sign === ":") this.decided.push(seat), seat.decisions.push(this.entries);
    this.agreed = seat && sign === "!" ? this.heed(seat, who, what) : "";
    if (draws !== undefined && (who !== "chance" || sign === "!")) throw this.fault("only chance draws");
    if (draws !== undefined) draws.split(", ").forEach((draw) => this.checkDraw(draw));
    this.entries += 1;
    this.head = this.key.hmac(this.head, utf8(line));
    this.compareHeads();
  }

  /** Heeds what a seat offers or answers, as a note of this entry; gives what it accepts, if anything. */
  private heed(seat: Seat, who: string, what: string): string {
    const [verb, word = ""] = what.split(" ", 2);
    if (verb === "offer") {
      this.offers.delete(seat.offer);
      this.offers.set((seat.offer = this.entries + 1), word === "takeback" ? `takeback ${who}` : word);
    } else if (verb === "accept" && `${seat.offer}` !== word) return this.offers.get(Number(word)) ?? "";
    else if (verb === "decline" || verb === "withdraw") this.offers.delete(Number(word));
    return "";
  }

  private checkHost(what: string): void {
    const [is, verb, name = "", revision] = hostForm.exec(what) ?? [];
    if (!is || (verb === "takeback") !== (revision !== undefined)) {
      throw this.fault("the host resigns, expires, undoes or takes back for a seat, draws or aborts");
    }
    const seat = this.seats.get(name);
    if (verb && !seat) throw this.fault(`there is no seat ${name}`);
    const mustBeAgreed = what === "draw" || verb === "takeback";
    if (mustBeAgreed && this.agreed !== what.replace(/ [0-9]+$/, "")) throw this.fault("nobody has agreed to this");
    if (verb === "resign" || verb === "expire") this.forfeited = this.entries;
    else if (seat) this.goBack(seat, revision);
  }

  private goBack(seat: Seat, revision?: string): void {
    const last = seat.decisions.at(-1) ?? -1;
    const isIt = revision === undefined ? this.decided.at(-1) === seat : revision === `${last}`;
    if (last < this.forfeited || !isIt) {
      throw this.fault("the last decision of this seat cannot be taken back so");
    }
    while ((this.decided.at(-1)?.decisions.at(-1) ?? -1) >= last) this.decided.pop()!.decisions.pop();
  }

  private checkDraw(draw: string): void {
    const [chosen, choices] = (drawForm.exec(draw) ?? [0, 0, 0]).slice(1).map(BigInt) as [bigint, bigint];
    if (chosen < 1n || chosen > choices || choices > two64) {
      throw this.fault("a draw is `N of M`, where N is from 1 to M, and M to 2^64");
    }
    const right = 1n + drawn(this.seed, this.draws, choices);
    if (right !== chosen) {
      throw this.fault(`draw ${this.draws} is ${draw}, but secret and nonces give ${right}`);
    }
    this.draws += 1;
  }

  // The ending, and the heads.

  private checkEnding(): string {
    const wanted = "`finished COUNT` with scores, `open COUNT` or `aborted COUNT` belongs here";
    const [line, word = "", count, scored = ""] = this.read(endingForm, wanted);
    if (Number(count) !== this.entries) {
      throw this.fault(`the ending counts ${count} entries, but there are ${this.entries}`);
    }
    const seats = word === "finished" ? [...this.seats.keys()] : [];
    const scores = scored.split(" ").slice(1);
    const fits = (seat: string, i: number): boolean =>
      scores[2 * i] === seat && scoreForm.test(scores[2 * i + 1] ?? "");
    if (!seats.every(fits) || scores.length !== 2 * seats.length) {
      throw this.fault("a finished match has a score for each seat in their order, another has none");
    }
    const last = hex(this.head);
    if (word !== "open") this.head = this.key.hmac(this.head, utf8(line));
    this.compareLastHeads(last);
    const [, head] = this.read(headForm, "`head HEX` belongs here");
    if (head !== hex(this.head)) throw this.fault("the head is another than what stands before it gives");
    if (this.at < this.text.length) throw this.fault("nothing may follow the head", this.line + 1);
    return word;
  }

  /** Compares the head after an entry that others follow with those that were kept. */
  private compareHeads(): void {
    if (!this.heads.has(this.entries) || this.begins("\n")) return;
    const head = hex(this.head);
    for (const kept of this.heads.get(this.entries)!) if (kept !== head) throw this.changed(this.entries);
  }

  /** Compares kept heads with the last one; a match that is over may have told the end in its place. */
  private compareLastHeads(last: string): void {
    for (const [revision, heads] of this.heads) {
      if (revision > this.entries) {
        throw this.fault(`a head of revision ${revision} was kept, but there are ${this.entries} entries`);
      }
      const right = [last, hex(this.head)];
      if (revision === this.entries && !heads.every((head) => right.includes(head))) {
        throw this.changed(revision);
      }
    }
  }

  private changed(revision: number): Fault {
    return this.fault(`the head of revision ${revision} is not the one kept: something was changed`);
  }
}

// Fair chance.
const two64 = 1n << 64n;

/** The draw of this number among so many choices, counted from nought. */
function drawn(seed: Key, number: number, choices: bigint): bigint {
  const fair = two64 - (two64 % choices);
  const message = new DataView(new ArrayBuffer(12));
  message.setBigUint64(0, BigInt(number));
  for (let attempt = 0; ; attempt++) {
    message.setUint32(8, attempt);
    const digest = seed.hmac(new Uint8Array(message.buffer));
    const value = new DataView(digest.buffer).getBigUint64(0);
    if (value < fair) return value % choices;
  }
}

// Bytes, and SHA-256 as FIPS 180-4 has it: the one of browsers would not be there in every page.

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));

const hex = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A key of HMAC-SHA256, as RFC 2104 has it, of at most 64 bytes. */
class Key {
  private readonly inner: Uint32Array; // the state that SHA-256 is in after each padded key
  private readonly outer: Uint32Array;

  constructor(key: Uint8Array) {
    const padded = (by: number): Uint8Array =>
      Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ by);
    [this.inner, this.outer] = [start.slice(), start.slice()];
    compress(this.inner, new DataView(padded(0x36).buffer), 0);
    compress(this.outer, new DataView(padded(0x5c).buffer), 0);
  }

  hmac(...message: Uint8Array[]): Uint8Array {
    return hashed(this.outer, 64, [hashed(this.inner, 64, message)]);
  }
}

const sha256 = (...message: Uint8Array[]): Uint8Array => hashed(start, 0, message);

/** The hash of a message of which so many bytes have led to a state already. */
function hashed(before: Uint32Array, done: number, message: Uint8Array[]): Uint8Array {
  const length = message.reduce((sum, part) => sum + part.length, 0);
  const padded = new Uint8Array(64 * Math.ceil((length + 9) / 64));
  let at = 0;
  for (const part of message) {
    padded.set(part, at);
    at += part.length;
  }
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, 8 * (done + length)); // no message here has more bits than that
  const state = before.slice();
  for (let block = 0; block < padded.length; block += 64) compress(state, view, block);
  state.forEach((word, i) => view.setUint32(4 * i, word));
  return padded.slice(0, 32);
}

const words = new Uint32Array(64);

function compress(state: Uint32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = block.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15]!, words[i - 2]!];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word));
}

type Eight = [number, number, number, number, number, number, number, number];

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

// SHA-256 takes its constants from the fractions of the roots of primes.
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const start = Uint32Array.from(primes.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32);
const constants = Uint32Array.from(primes, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);
