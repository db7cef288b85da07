// Breebot plays one match of any game of Bree. It knows no rules: it picks one of the choices.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	engine "breebot/gen/bree/engine/v1"
	pb "breebot/gen/bree/gateway/v1"
)

// One attempt of a call may last a deadline. After as long as patience lasts a call is given up.
// Where nothing happens the gateway gives signs of life; after a silence it hangs, and its stream is
// opened anew. Between attempts it waits between the last two; so it does before it connects again.
const deadline, patience, silence, shortest, longest = 10 * time.Second, 2 * time.Minute, 4500 * time.Millisecond, time.Second / 10, 5 * time.Second

var pauses = backoff.Config{BaseDelay: shortest, Multiplier: 2, Jitter: 0.5, MaxDelay: longest}

// A bot plays one seat of one match.
type bot struct {
	pb.MatchServiceClient
	pb.BotServiceClient
	match, seat, run string // run makes its request ids differ from those of any other run
	pick             *rand.Rand
	answered         int64 // the number of the last question that wants no answer any more
}

func main() {
	gateway := setting("gateway", "127.0.0.1:7000", "host:port of the gateway")
	authority := setting("authority", "", "PEM file of who signed its certificate; without, no TLS")
	token := setting("token", "", "token of an account; without, a guest is made")
	match := setting("match", "", "match to join")
	seat := setting("seat", "", "seat to take in it")
	game := setting("new", "", "game of a match to create")
	against := setting("against", "", "level of the hosted bots in the created match")
	options := setting("options", "", "options of the created match, such as a=b,c=d")
	seed := flag.Uint64("seed", rand.Uint64(), "what the choices follow from")
	flag.Parse()
	if (*match != "" && *seat != "") == (*game != "" && *against != "") {
		log.Fatal("breebot: say either --match ID --seat NAME or --new GAME --against LEVEL")
	}
	trust := insecure.NewCredentials()
	if *authority != "" {
		trust = must(credentials.NewClientTLSFromFile(*authority, ""))
	}
	dialling := grpc.WithConnectParams(grpc.ConnectParams{Backoff: pauses, MinConnectTimeout: deadline})
	channel := must(grpc.NewClient(*gateway, grpc.WithTransportCredentials(trust), dialling,
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: deadline, Timeout: silence}), grpc.WithUnaryInterceptor(again)))
	b, ctx := bot{pb.NewMatchServiceClient(channel), pb.NewBotServiceClient(channel), *match, *seat,
		fmt.Sprintf("%x", rand.Uint64()), rand.New(rand.NewPCG(*seed, 0)), 0}, context.Background()
	if *token == "" {
		*token = must(pb.NewAccountServiceClient(channel).CreateAccount(ctx, &pb.CreateAccountRequest{})).Token
		must(pb.NewProgramServiceClient(channel).DeclareBot(metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+*token), &pb.DeclareBotRequest{}))
	}
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+*token)
	if *game != "" {
		b.start(ctx, *game, *against, *options)
	} else {
		must(b.JoinMatch(ctx, &pb.JoinMatchRequest{Match: b.match, Seat: b.seat}))
	}
	fmt.Println("playing", b.match, "at", b.seat)
	fmt.Println(b.match, "is over:", protojson.MarshalOptions{EmitUnpopulated: true}.Format(b.play(ctx)))
}

// setting is a flag whose default comes from the environment: BREE_SEAT for --seat.
func setting(name, otherwise, help string) *string {
	return flag.String(name, cmp.Or(os.Getenv("BREE_"+strings.ToUpper(name)), otherwise), help)
}

// must is for what there is no going on without.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal("breebot: ", err)
	}
	return value
}

// start makes a match with this bot at its first seat and hosted bots at the others.
func (b *bot) start(ctx context.Context, game, level, options string) {
	request := &pb.CreateMatchRequest{Game: game, RequestId: b.run}
	for _, option := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(option, "=")
		request.Options = append(request.Options, &engine.OptionChoice{Name: name, Value: value})
	}
	match := must(b.CreateMatch(ctx, request)).Match
	b.match, b.seat = match.Id, match.Seats[0].Seat
	must(b.JoinMatch(ctx, &pb.JoinMatchRequest{Match: b.match, Seat: b.seat}))
	for _, s := range match.Seats[1:] {
		// A refusal may only mean that it was done and the answer got lost: starting tells.
		if _, err := b.AddBot(ctx, &pb.AddBotRequest{Match: b.match, Seat: s.Seat, Level: level}); err != nil {
			log.Print("breebot: ", err)
		}
	}
	must(b.StartMatch(ctx, &pb.StartMatchRequest{Match: b.match}))
}

// play answers until the match is over; it listens again whenever a stream ends.
func (b *bot) play(ctx context.Context) *engine.Outcome {
	for wait := shortest; ; wait = pause(wait) {
		listening, cancel := context.WithCancel(ctx)
		stream, err := b.ListenQuestions(listening, &pb.ListenQuestionsRequest{BeatMs: 1500})
		hung := time.AfterFunc(silence, cancel)
		for told := new(pb.ListenQuestionsResponse); err == nil; hung.Reset(silence) {
			told, err = stream.Recv()
			hung.Stop()
			if told.GetMatch() == b.match && told.GetOutcome() != nil {
				cancel()
				return told.Outcome
			} else if told.GetMatch() == b.match && told.Seat == b.seat {
				b.answer(ctx, told.Question, told.Head)
				wait = shortest
			}
		}
		cancel()
		if err != io.EOF && !passes(err) {
			log.Fatal("breebot: ", err)
		}
	}
}

// answer answers a question once, however often it is told. With the head that came with it, an
// answer counts in no other history than the question's own.
func (b *bot) answer(ctx context.Context, q *engine.Question, head string) {
	if q.GetNumber() <= b.answered { // told twice; or the platform has lost moves: does it stand?
		now, _ := b.GetView(ctx, &pb.GetViewRequest{Match: b.match, Seat: b.seat})
		q, head = now.GetQuestion(), now.GetStanding().GetHead() // if it fails, all is told again
	}
	if q != nil {
		b.answered = q.Number
		_, err := b.Act(ctx, &pb.ActRequest{Match: b.match, Seat: b.seat, Question: q.Number, Head: head,
			Action: q.Choices[b.pick.IntN(len(q.Choices))].Action.Text, RequestId: fmt.Sprint(b.run, "-", q.Number)})
		// An answer may come too late, for a clock or for the end, or belong to a history that is
		// lost; then the stream has the news.
		if code := status.Code(err); code != codes.Aborted && code != codes.FailedPrecondition {
			must(0, err)
		}
	}
}

// again repeats a call until the gateway answers it, which is safe for every call that bots make.
func again(ctx context.Context, method string, request, reply any, channel *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	for wait, began := shortest, time.Now(); ; wait = pause(wait) {
		attempt, cancel := context.WithTimeout(ctx, deadline)
		err := call(attempt, method, request, reply, channel, options...)
		cancel()
		if !passes(err) || time.Since(began) > patience {
			return err
		}
	}
}

// passes says whether waiting may help: something is away or was stopped, or calls come too fast.
func passes(err error) bool {
	return slices.Contains([]codes.Code{codes.Unavailable, codes.Canceled, codes.DeadlineExceeded, codes.ResourceExhausted}, status.Code(err))
}

// pause waits, and says how long to wait the next time.
func pause(wait time.Duration) time.Duration {
	time.Sleep(wait/2 + rand.N(wait))
	return min(2*wait, longest)
}
