package main

import (
	"context"
	"log"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	engine "breebot/gen/bree/engine/v1"
	pb "breebot/gen/bree/gateway/v1"
)

const (
	deadline = 10 * time.Second // of one attempt of a call
	patience = 2 * time.Minute  // with a gateway that is away
	stretch  = time.Minute      // of listening: a connection may die without a sign
	shortest = 100 * time.Millisecond
	longest  = 5 * time.Second
)

// A bot answers the questions put to one seat of one match.
type bot struct {
	matches     pb.MatchServiceClient
	questions   pb.BotServiceClient
	match, seat string
	pick        *rand.Rand
	run         string // makes its request ids differ from those of any other run
	answered    int64  // the number of the last question that wants no answer any more
}

// play answers until the match is over; it listens again whenever a stream ends.
func (b *bot) play(ctx context.Context) *engine.Outcome {
	for wait := shortest; ; wait = pause(wait) {
		// Who was not listening when the match ended has missed the news.
		match := must(b.matches.GetMatch(ctx, &pb.GetMatchRequest{Match: b.match})).Match
		if match.State >= pb.MatchState_MATCH_STATE_OVER {
			return match.Outcome
		}
		listening, cancel := context.WithTimeout(ctx, stretch)
		stream, err := b.questions.ListenQuestions(listening, &pb.ListenQuestionsRequest{})
		for err == nil {
			var told *pb.ListenQuestionsResponse
			if told, err = stream.Recv(); err == nil && told.Match == b.match && told.Seat == b.seat {
				wait = shortest
				if outcome := cmp.Or(told.Outcome, b.answer(ctx, told.Question)); outcome != nil {
					return outcome
				}
			}
		}
		cancel()
		if err != io.EOF && !passes(err) {
			log.Fatal("breebot: ", err)
		}
	}
}

// answer answers a question, unless that was done before, and those that follow at once.
func (b *bot) answer(ctx context.Context, q *engine.Question) *engine.Outcome {
	for q.GetNumber() > b.answered {
		b.answered = q.Number
		got, err := b.matches.Act(ctx, &pb.ActRequest{
			Match: b.match, Seat: b.seat, Question: q.Number,
			Action:    q.Choices[b.pick.IntN(len(q.Choices))].Action.Text,
			RequestId: b.run + "-" + strconv.FormatInt(q.Number, 10),
		})
		switch info(err).GetReason() {
		case "ERROR_REASON_STALE_QUESTION", "ERROR_REASON_NOT_ASKED", "ERROR_REASON_MATCH_OVER":
			return nil // a clock was faster, or the match has ended; the stream tells
		}
		q = must(got, err).Question
		if outcome := got.Standing.Outcome; outcome != nil {
			return outcome
		}
	}
	return nil
}

// again repeats a call until the gateway answers, which is safe for all calls of this program.
func again(ctx context.Context, method string, request, reply any, channel *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	wait, began := shortest, time.Now()
	for {
		attempt, cancel := context.WithTimeout(ctx, deadline)
		err := call(attempt, method, request, reply, channel, options...)
		cancel()
		if !passes(err) || time.Since(began) > patience {
			return err
		}
		hint, _ := strconv.Atoi(info(err).GetMetadata()["retry_after_ms"])
		time.Sleep(time.Duration(hint) * time.Millisecond)
		wait = pause(wait)
	}
}

// passes says whether waiting may help.
func passes(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.ResourceExhausted:
		return info(err).GetReason() != "ERROR_REASON_LIMIT_REACHED"
	}
	return false
}

// info is the machine-readable part of a refusal, if it has one.
func info(err error) *errdetails.ErrorInfo {
	for _, detail := range status.Convert(err).Details() {
		if found, ok := detail.(*errdetails.ErrorInfo); ok {
			return found
		}
	}
	return nil
}

// pause waits, and says how long to wait the next time.
func pause(wait time.Duration) time.Duration {
	time.Sleep(wait/2 + rand.N(wait))
	return min(2*wait, longest)
}
