// Breebot plays one match of any game of Bree. It knows no rules: it picks one of the choices.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	engine "breebot/gen/bree/engine/v1"
	pb "breebot/gen/bree/gateway/v1"
)

// setting is a flag whose default comes from the environment.
func setting(name, otherwise, help string) *string {
	variable := "BREE_" + strings.ToUpper(name)
	return flag.String(name, cmp.Or(os.Getenv(variable), otherwise), help+"; or "+variable)
}

// must is for calls without which there is nothing left to do.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal("breebot: ", err)
	}
	return value
}

func main() {
	log.SetFlags(0)
	gateway := setting("gateway", "127.0.0.1:7100", "host:port of the gateway")
	authority := setting("authority", "", "PEM file of who signed its certificate; without, no TLS")
	token := setting("token", "", "token of an account; without, a guest is made")
	match := setting("match", "", "match to join")
	seat := setting("seat", "", "seat to take in it")
	game := setting("new", "", "game of a match to create")
	against := setting("against", "", "level of the hosted bots in the created match")
	options := setting("options", "", "options of the created match, such as a=b,c=d")
	seed := flag.Uint64("seed", rand.Uint64(), "what the choices follow from")
	flag.Parse()
	if (*match == "" || *seat == "") == (*game == "" || *against == "") {
		log.Fatal("breebot: say either --match ID --seat NAME or --new GAME --against LEVEL")
	}

	trust := insecure.NewCredentials()
	if *authority != "" {
		trust = must(credentials.NewClientTLSFromFile(*authority, ""))
	}
	channel := must(grpc.NewClient(*gateway,
		grpc.WithTransportCredentials(trust), grpc.WithUnaryInterceptor(again)))
	ctx, accounts := context.Background(), pb.NewAccountServiceClient(channel)
	if *token == "" {
		*token = must(accounts.CreateAccount(ctx, &pb.CreateAccountRequest{})).Token
	}
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+*token)
	matches := pb.NewMatchServiceClient(channel)
	if *game != "" {
		*match, *seat = open(ctx, matches, *game, *against, *options)
	} else {
		must(matches.JoinMatch(ctx, &pb.JoinMatchRequest{Match: *match, Seat: *seat}))
	}
	fmt.Println("playing", *match, "at", *seat)
	b := bot{matches, pb.NewBotServiceClient(channel), *match, *seat,
		rand.New(rand.NewPCG(*seed, 0)), newRequestId(), 0}
	fmt.Println(*match, "is over:", spell(b.play(ctx)))
}

// open starts a match with this bot at its first seat and hosted bots at the others.
func open(ctx context.Context, matches pb.MatchServiceClient, game, level, options string) (string, string) {
	request := &pb.CreateMatchRequest{Game: game, RequestId: newRequestId()}
	for _, option := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(option, "=")
		request.Options = append(request.Options, &engine.OptionChoice{Name: name, Value: value})
	}
	match := must(matches.CreateMatch(ctx, request)).Match
	seat := match.Seats[0].Seat
	must(matches.JoinMatch(ctx, &pb.JoinMatchRequest{Match: match.Id, Seat: seat}))
	for _, s := range match.Seats[1:] {
		_, err := matches.AddBot(ctx, &pb.AddBotRequest{Match: match.Id, Seat: s.Seat, Level: level})
		if err != nil { // perhaps because it was done and the answer got lost; starting will tell
			log.Print("breebot: ", err)
		}
	}
	must(matches.StartMatch(ctx, &pb.StartMatchRequest{Match: match.Id}))
	return match.Id, seat
}
