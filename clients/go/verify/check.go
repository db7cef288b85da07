package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const largest, largestBytes = 4_000_000, 16_000_000

const (
	name  = "([a-z][a-z0-9_]{0,39})"
	nonce = "((?:[0-9a-f]{2}){1,64})"
	hash  = "([0-9a-f]{64})"
)

var (
	formForm       = regexp.MustCompile("^bree record ([12])$")
	gameForm       = regexp.MustCompile("^game " + name + "$")
	editionForm    = regexp.MustCompile("^edition ([1-9][0-9]{0,5})$")
	optionForm     = regexp.MustCompile("^option " + name + " [a-z0-9_]{1,40}$")
	seatForm       = regexp.MustCompile("^seat " + name + " " + nonce + "(?: " + hash + ")?$")
	commitmentForm = regexp.MustCompile("^commitment " + hash + "$")
	playerForm     = regexp.MustCompile("^player " + name + " " + nonce + " (.+)$")
	secretForm     = regexp.MustCompile("^secret " + hash + "$")
	emptyForm      = regexp.MustCompile("^$")
	entryForm      = regexp.MustCompile("^" + name + `([:!]) (.*) ~[0-9a-f]{8}$`)
	whatForm       = regexp.MustCompile("^[a-z][a-z0-9_]*(?: [a-z0-9_]+)*$")
	endingForm     = regexp.MustCompile("^(finished|open|aborted) (0|[1-9][0-9]{0,6})(?: (.+))?$")
	scoreForm      = regexp.MustCompile("^(?:0|-?[1-9][0-9]{0,5})$")
	headForm       = regexp.MustCompile("^head " + hash + "$")
)

// Kept is what was published or told while a match was played.
type kept struct {
	commitment string
	nonces     map[string][]string // by seat
	heads      map[int][]string    // by revision
}

type seat struct {
	nonce, mark string
	isNamed     bool
	offer       int   // the number of the last one that it made
	decisions   []int // those that stand, by the revisions at which they were made
}

// A record is read from its first line to its last, and checked on the way.
type record struct {
	kept
	rest          string // what has not been read
	line          int    // the number of the line that was read last
	game, edition string
	header        []string
	names         []string // of seats, in order
	seats         map[string]*seat
	seed, key     []byte
	head          []byte
	entries       int
	draws         uint64
	table
}

// A fault is a sentence about what does not hold; it is thrown, and caught by check.
type fault string

func (r *record) fail(format string, about ...any) {
	panic(fault(fmt.Sprintf("Line %d: %s.", r.line, fmt.Sprintf(format, about...))))
}

// Check checks all of a record that can be checked without rules, and returns a sentence for each check.
func check(content []byte, promised kept) (said []string, err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case fault:
			err = fmt.Errorf("%s", string(thrown))
		default:
			panic(thrown)
		}
	}()
	switch {
	case len(content) > largestBytes || utf8.RuneCount(content) > largest:
		panic(fault(fmt.Sprintf("The file has more than %d characters, so it is no record.", largest)))
	case !utf8.Valid(content):
		panic(fault("The file is not UTF-8 text, so it is no record."))
	case len(content) == 0 || content[len(content)-1] != '\n':
		panic(fault("The file is torn: no line feed ends its last line."))
	}
	r := &record{kept: promised, rest: string(content), seats: map[string]*seat{}}
	return r.run(), nil
}

func (r *record) run() []string {
	r.readMatch()
	r.readSecret()
	for !strings.HasPrefix(r.rest, "\n") {
		r.checkEntry()
	}
	r.read(emptyForm, "")
	ending := r.checkEnding()
	return []string{
		fmt.Sprintf("Form: %s, edition %s, %s after %d entries, is written as a record has to be.",
			r.game, r.edition, ending, r.entries),
		r.compared("Commitment: it is that of the secret", len(r.commitment)/64),
		r.compared("Nonces: they are those of the seed", len(r.nonces)),
		fmt.Sprintf("Draws: %d were computed again from secret and nonces.", r.draws),
		fmt.Sprintf("Players: %s.", r.players()),
		r.compared("Head: it is that of header, entries and ending", len(r.heads)),
	}
}

func (r *record) compared(what string, count int) string {
	if count == 0 {
		return what + "; none that was kept was given."
	}
	return fmt.Sprintf("%s; the kept ones that were given, %d, agree.", what, count)
}

func (r *record) players() string {
	var named, bare int
	for _, seat := range r.seats {
		if seat.isNamed {
			named++
		} else if seat.mark != "" {
			bare++
		}
	}
	return fmt.Sprintf("%d have the mark of name and salt, %d a mark and no name any more", named, bare)
}

// Read returns the parts of the next line, which must have this form.
func (r *record) read(form *regexp.Regexp, wanted string) []string {
	r.line++
	line, rest, found := strings.Cut(r.rest, "\n")
	if !found {
		r.fail("the record ends too early")
	}
	parts := form.FindStringSubmatch(line)
	if parts == nil {
		r.fail("%s", wanted)
	}
	r.rest = rest
	return parts
}

func (r *record) heading(form *regexp.Regexp, wanted string) []string {
	parts := r.read(form, wanted)
	r.header = append(r.header, parts[0])
	return parts
}

func (r *record) readMatch() {
	if r.heading(formForm, "the first line of a record is `bree record 2`")[1] == "1" {
		r.fail("records of form 1 have no head, and cannot be checked without rules")
	}
	r.game = r.heading(gameForm, "`game NAME` is missing")[1]
	r.edition = r.heading(editionForm, "`edition NUMBER` is missing")[1]
	options := map[string]bool{}
	for strings.HasPrefix(r.rest, "option ") {
		option := r.heading(optionForm, "an option is `option NAME VALUE`")[1]
		if options[option] {
			r.fail("the option %s is given twice", option)
		}
		options[option] = true
	}
	for strings.HasPrefix(r.rest, "seat ") {
		parts := r.heading(seatForm, "a seat is `seat NAME NONCE MARK`")
		if parts[1] == "chance" || parts[1] == "host" || r.seats[parts[1]] != nil {
			r.fail("no other seat may be called %s", parts[1])
		}
		r.names = append(r.names, parts[1])
		r.seats[parts[1]] = &seat{nonce: parts[2], mark: parts[3]}
	}
}

// ReadSecret reads the rest of the header, compares it with what was kept, and makes seed and key.
func (r *record) readSecret() {
	commitment := r.heading(commitmentForm, "a seat or `commitment HEX` is missing")[1]
	if len(r.names) == 0 {
		r.fail("there is no seat before the commitment")
	}
	for strings.HasPrefix(r.rest, "player ") {
		r.checkPlayer()
	}
	secret := bytes(r.read(secretForm, "`secret HEX` is missing")[1])
	if digest("bree commitment 1\n", secret) != commitment {
		r.fail("the commitment is not that of this secret")
	}
	r.read(emptyForm, "the header ends with an empty line")
	r.compareKept(commitment)
	message := []byte("bree seed 1\n")
	for _, name := range r.names {
		nonce := bytes(r.seats[name].nonce)
		message = append(append(message, byte(len(nonce))), nonce...)
	}
	r.seed = mac(secret, message)
	r.key = mac(secret, []byte("bree chain 1\n"))
	r.head = mac(r.key, []byte(strings.Join(r.header, "\n")))
	r.compareHead()
}

func (r *record) checkPlayer() {
	parts := r.read(playerForm, "a player is `player SEAT SALT NAME`")
	name, person := parts[1], parts[3]
	seat := r.seats[name]
	if seat == nil || seat.mark == "" || seat.isNamed {
		r.fail("no mark waits for a player at %s", name)
	}
	if strings.Trim(person, " ") != person || strings.ContainsFunc(person, isUnprintable) {
		r.fail("a name is printable text without spaces around it")
	}
	if digest("bree player 1\n", append(bytes(parts[2]), person...)) != seat.mark {
		r.fail("the mark of %s is not that of this name and salt", name)
	}
	seat.isNamed = true
}

func isUnprintable(char rune) bool {
	return char != ' ' && unicode.In(char, unicode.Cc, unicode.Cf, unicode.Co, unicode.Z)
}

func (r *record) compareKept(commitment string) {
	if r.commitment != "" && r.commitment != commitment {
		panic(fault("The commitment is not the one that was kept."))
	}
	for name, nonces := range r.nonces {
		if r.seats[name] == nil {
			panic(fault(fmt.Sprintf("There is no seat %s, of which a nonce was kept.", name)))
		}
		for _, nonce := range nonces {
			if nonce != r.seats[name].nonce {
				panic(fault(fmt.Sprintf("The nonce of %s is not the one that was kept.", name)))
			}
		}
	}
}

func (r *record) checkEntry() {
	parts := r.read(entryForm, "an entry is `WHO: WHAT ~DIGEST`")
	who, what, isNote := parts[1], parts[3], parts[2] == "!"
	if who == "chance" && !isNote && strings.HasSuffix(what, "]") {
		before, draws, _ := strings.Cut(strings.TrimSuffix(what, "]"), " [")
		for _, draw := range strings.Split(draws, ", ") {
			r.checkDraw(draw)
		}
		what = before
	}
	if len(what) > 400 || !whatForm.MatchString(what) {
		r.fail("what was done is up to 400 lower-case letters, digits, underscores and single spaces")
	}
	if who != "host" && who != "chance" && r.seats[who] == nil {
		r.fail("there is no seat %s", who)
	}
	r.checkTable(who, what, isNote)
	r.entries++
	r.head = mac(r.key, append(r.head, parts[0]...))
	r.compareHead()
}

func (r *record) checkDraw(draw string) {
	first, second, found := strings.Cut(draw, " of ")
	chosen, isChosen := number(first)
	last, isLast := number(second)
	if !found || !isChosen || !isLast || chosen > last {
		r.fail("a draw is `N of M`, with N from 1 to M, and M to 2^64")
	}
	if drawn(r.seed, r.draws, last) != chosen {
		r.fail("draw %d is %s, but secret and nonces give another", r.draws, draw)
	}
	r.draws++
}

// Number reads a number from 1 to 2^64, and returns one less, which fits.
func number(text string) (uint64, bool) {
	if text == "18446744073709551616" {
		return math.MaxUint64, true
	}
	value, err := strconv.ParseUint(text, 10, 64)
	return value - 1, err == nil && text[0] != '0'
}

// Drawn returns the draw of this number from 0 to `last`.
func drawn(seed []byte, number, last uint64) uint64 {
	choices := last + 1 // 0 if there are 2^64, so that every value is fair
	var over uint64     // 2^64 mod choices
	if choices != 0 {
		over = (math.MaxUint64%choices + 1) % choices
	}
	message := binary.BigEndian.AppendUint64(nil, number)
	for attempt := uint32(0); ; attempt++ {
		value := binary.BigEndian.Uint64(mac(seed, binary.BigEndian.AppendUint32(message, attempt)))
		if value <= math.MaxUint64-over {
			if choices != 0 {
				value %= choices
			}
			return value
		}
	}
}

func (r *record) checkEnding() string {
	parts := r.read(endingForm, "the ending is `finished COUNT` with scores, `open COUNT` or `aborted COUNT`")
	if parts[2] != strconv.Itoa(r.entries) {
		r.fail("the ending counts %s entries, and there are %d", parts[2], r.entries)
	}
	var wanted, scores []string
	if parts[1] == "finished" {
		wanted = r.names
	}
	if parts[3] != "" {
		scores = strings.Split(parts[3], " ")
	}
	isRight := len(scores) == 2*len(wanted)
	for i := 0; isRight && i < len(wanted); i++ {
		isRight = scores[2*i] == wanted[i] && scoreForm.MatchString(scores[2*i+1])
	}
	if !isRight {
		r.fail("each seat of a finished match has a score, in their order, and no other match has any")
	}
	last := hex.EncodeToString(r.head)
	if parts[1] != "open" {
		r.head = mac(r.key, append(r.head, parts[0]...))
	}
	r.compareLastHeads(last, hex.EncodeToString(r.head))
	if r.read(headForm, "`head HEX` is missing")[1] != hex.EncodeToString(r.head) {
		r.fail("the head is not that of what stands before it")
	}
	if r.rest != "" {
		r.line++
		r.fail("nothing may follow the head")
	}
	return parts[1]
}

// CompareHead compares the head after an entry with those that were kept, unless it is the last one.
func (r *record) compareHead() {
	if strings.HasPrefix(r.rest, "\n") {
		return
	}
	for _, kept := range r.heads[r.entries] {
		if kept != hex.EncodeToString(r.head) {
			r.fail("the head of revision %d is not the one that was kept: something was changed", r.entries)
		}
	}
}

// CompareLastHeads compares kept heads with the last one; of a match that is over, the end may be kept.
func (r *record) compareLastHeads(last, end string) {
	for revision, heads := range r.heads {
		if revision > r.entries {
			r.fail("a head of revision %d was kept, and there are %d entries", revision, r.entries)
		}
		isRight := func(head string) bool { return head == last || head == end }
		if revision == r.entries && slices.ContainsFunc(heads, func(head string) bool { return !isRight(head) }) {
			r.fail("the head of revision %d is not the one that was kept: something was changed", revision)
		}
	}
}

func bytes(text string) []byte {
	decoded, err := hex.DecodeString(text)
	if err != nil {
		panic(err) // its form was checked before
	}
	return decoded
}

func digest(label string, message []byte) string {
	sum := sha256.Sum256(append([]byte(label), message...))
	return hex.EncodeToString(sum[:])
}

func mac(key, message []byte) []byte {
	made := hmac.New(sha256.New, key)
	made.Write(message)
	return made.Sum(nil)
}
