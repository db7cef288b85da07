package main

import (
	"regexp"
	"strconv"
	"strings"
)

var hostForm = regexp.MustCompile("^(abort|draw|resign|expire|undo|takeback)(?: " + name + ")?(?: (0|[1-9][0-9]{0,6}))?$")

// A table is what stands between the seats: their decisions, and what they have proposed to each other.
type table struct {
	decided   []*seat        // by whom, of the decisions that stand
	offers    map[int]string // what was proposed, by number
	agreed    string         // what the entry before has accepted
	forfeited int            // decisions can be taken back from this revision on
}

// CheckTable checks that nothing is taken back, or ended as a draw, but what may be.
func (r *record) checkTable(who, what string, isNote bool) {
	accepted, seat := "", r.seats[who]
	switch {
	case who == "host" && !isNote:
		r.checkHost(what)
	case seat != nil && isNote:
		accepted = r.heed(seat, who, what)
	case seat != nil:
		r.decided = append(r.decided, seat)
		seat.decisions = append(seat.decisions, r.entries)
	}
	r.agreed = accepted
}

// Heed follows what a seat offers or answers in a note, and returns what it accepts, if anything.
func (r *record) heed(by *seat, who, what string) string {
	verb, word, _ := strings.Cut(what, " ")
	number, err := strconv.Atoi(word)
	switch {
	case verb == "offer":
		if r.offers == nil {
			r.offers = map[int]string{}
		}
		delete(r.offers, by.offer)
		by.offer = r.entries + 1
		if word == "takeback" {
			word += " " + who
		}
		r.offers[by.offer] = word
	case err != nil:
	case verb == "accept" && number != by.offer:
		return r.offers[number]
	case verb == "decline" || verb == "withdraw":
		delete(r.offers, number)
	}
	return ""
}

func (r *record) checkHost(what string) {
	host := hostForm.FindStringSubmatch(what)
	if host == nil || (host[1] == "abort" || host[1] == "draw") != (host[2] == "") ||
		(host[1] == "takeback") != (host[3] != "") {
		r.fail("the host resigns, expires, undoes or takes back for a seat, draws or aborts")
	}
	verb, by, revision := host[1], r.seats[host[2]], host[3]
	if host[2] != "" && by == nil {
		r.fail("there is no seat %s", host[2])
	}
	switch verb {
	case "takeback", "draw":
		if r.agreed != strings.TrimSuffix(what, " "+revision) {
			r.fail("nobody has agreed to this just before")
		}
	case "resign", "expire":
		r.forfeited = r.entries
	}
	if verb == "undo" || verb == "takeback" {
		r.goBack(by, revision)
	}
}

// GoBack takes the last decision of a seat back, and all that were made since.
func (r *record) goBack(by *seat, revision string) {
	last := by.last()
	isIt := revision == strconv.Itoa(last)
	if revision == "" && len(r.decided) > 0 {
		isIt = r.decided[len(r.decided)-1] == by
	}
	if last < r.forfeited || !isIt {
		r.fail("the last decision of this seat cannot be taken back so")
	}
	for len(r.decided) > 0 {
		at := r.decided[len(r.decided)-1]
		if at.last() < last {
			break
		}
		at.decisions = at.decisions[:len(at.decisions)-1]
		r.decided = r.decided[:len(r.decided)-1]
	}
}

// Last returns the revision of the seat's last decision that stands, or one before all others.
func (s *seat) last() int {
	if len(s.decisions) == 0 {
		return -1
	}
	return s.decisions[len(s.decisions)-1]
}
