package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	engine "breebot/gen/bree/engine/v1"
	pb "breebot/gen/bree/gateway/v1"
)

// listenFor bounds one stream, so that a connection that died unnoticed is not waited on for ever.
const listenFor = time.Minute

type bot struct {
	pb.AccountServiceClient
	pb.MatchServiceClient
	pb.BotServiceClient
	pick *rand.Rand
	run  string // makes the request ids of this run differ from those of any other
	done int64  // the number of the last question that wants no answer any more
}

func newBot(channel grpc.ClientConnInterface, seed uint64) *bot {
	return &bot{
		pb.NewAccountServiceClient(channel), pb.NewMatchServiceClient(channel),
		pb.NewBotServiceClient(channel),
		rand.New(rand.NewPCG(seed, 0)), strconv.FormatUint(rand.Uint64(), 36), 0,
	}
}

func (b *bot) signIn(ctx context.Context, token string) (context.Context, error) {
	if token == "" {
		made, err := b.CreateAccount(ctx, &pb.CreateAccountRequest{})
		if err != nil {
			return ctx, err
		}
		token = made.Token
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token), nil
}

// open starts a match in which this bot has the first seat and hosted bots have the others.
func (b *bot) open(ctx context.Context, game, against, options string) (match, seat string, err error) {
	request := &pb.CreateMatchRequest{Game: game, RequestId: b.run}
	for _, option := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(option, "=")
		request.Options = append(request.Options, &engine.OptionChoice{Name: name, Value: value})
	}
	made, err := b.CreateMatch(ctx, request)
	if err != nil {
		return "", "", err
	}
	match, seat = made.Match.Id, made.Match.Seats[0].Seat
	_, err = b.JoinMatch(ctx, &pb.JoinMatchRequest{Match: match, Seat: seat})
	// If an answer gets lost its repetition is refused; starting tells whether all seats are taken.
	for _, s := range made.Match.Seats[1:] {
		_, refused := b.AddBot(ctx, &pb.AddBotRequest{Match: match, Seat: s.Seat, Level: against})
		err = errors.Join(err, refused)
	}
	if _, refused := b.StartMatch(ctx, &pb.StartMatchRequest{Match: match}); refused != nil {
		return "", "", errors.Join(err, refused)
	}
	return match, seat, nil
}

// play answers questions until the match is over, and connects again whenever a stream ends.
func (b *bot) play(ctx context.Context, match, seat string) (string, error) {
	for wait := time.Duration(0); ; wait = pause(ctx, wait) {
		// News of the end may have been missed between two streams.
		got, err := b.GetMatch(ctx, &pb.GetMatchRequest{Match: match})
		if err != nil {
			return "", err
		}
		if got.Match.State >= pb.MatchState_MATCH_STATE_OVER {
			return spell(got.Match.Outcome), nil
		}
		outcome, err := b.listen(ctx, match, seat)
		if outcome != nil || (err != nil && !passes(err)) {
			return spell(outcome), err
		}
	}
}

func (b *bot) listen(ctx context.Context, match, seat string) (*engine.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, listenFor)
	defer cancel()
	stream, err := b.ListenQuestions(ctx, &pb.ListenQuestionsRequest{})
	for err == nil {
		var told *pb.ListenQuestionsResponse
		if told, err = stream.Recv(); err != nil || told.Match != match || told.Seat != seat {
			continue
		}
		outcome := told.Outcome
		if outcome == nil {
			outcome, err = b.answer(ctx, match, seat, told.Question)
		}
		if outcome != nil {
			return outcome, nil
		}
	}
	return nil, err
}

// answer answers a question and those that follow at once. A question may be told more than once.
func (b *bot) answer(ctx context.Context, match, seat string, q *engine.Question) (*engine.Outcome, error) {
	for q != nil && q.Number > b.done {
		b.done = q.Number
		act, err := b.Act(ctx, &pb.ActRequest{
			Match: match, Seat: seat, Question: q.Number, RequestId: fmt.Sprint(b.run, "-", q.Number),
			Action: q.Choices[b.pick.IntN(len(q.Choices))].Action.Text,
		})
		switch reason(err) {
		case "STALE_QUESTION", "NOT_ASKED", "MATCH_OVER":
			return nil, nil // somebody else, or a clock, was faster; the stream has the news
		}
		if err != nil || act.Standing.Outcome != nil {
			return act.GetStanding().GetOutcome(), err
		}
		q = act.Question
	}
	return nil, nil
}
