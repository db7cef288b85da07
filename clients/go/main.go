// Breebot plays one match of any game of Bree. It knows no rules: it picks one of the choices.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	engine "breebot/gen/bree/engine/v1"
	gateway "breebot/gen/bree/gateway/v1"
)

// setting is a flag whose default comes from the environment.
func setting(name, otherwise, help string) *string {
	value := cmp.Or(os.Getenv("BREE_"+strings.ToUpper(name)), otherwise)
	return flag.String(name, value, help+"; or BREE_"+strings.ToUpper(name))
}

var (
	address   = setting("gateway", "127.0.0.1:7100", "host:port of the gateway")
	authority = setting("authority", "", "PEM file of who signed the gateway's certificate")
	token     = setting("token", "", "token of an account; without one a guest is made")
	match     = setting("match", "", "match to join")
	seat      = setting("seat", "", "seat to join at; without one the first free one")
	game      = setting("new", "", "game of a match to create")
	against   = setting("against", "", "level of the bots in a created match")
	options   = setting("options", "", "options of a created match, such as a=b,c=d")
	seed      = flag.Uint64("seed", rand.Uint64(), "what the choices follow from")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "breebot:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if (*match == "") == (*game == "") || (*game != "" && *against == "") {
		return fmt.Errorf("say --match ID, or --new GAME --against LEVEL")
	}
	trust, err := insecure.NewCredentials(), error(nil)
	if *authority != "" {
		if trust, err = credentials.NewClientTLSFromFile(*authority, ""); err != nil {
			return err
		}
	}
	channel, err := grpc.NewClient(*address, grpc.WithTransportCredentials(trust))
	if err != nil {
		return err
	}
	b := newBot(channel, *seed)
	if ctx, err = b.signIn(ctx, *token); err != nil {
		return err
	}
	if *game != "" {
		err = b.open(ctx, *game, *against, *options)
	} else {
		err = b.join(ctx, *match, *seat)
	}
	if err != nil {
		return err
	}
	fmt.Printf("playing %s at %s\n", b.match, b.seat)
	outcome, err := b.play(ctx)
	if err == nil {
		fmt.Printf("%s is over: %s\n", b.match, spell(outcome))
	}
	return err
}

func (b *bot) signIn(ctx context.Context, token string) (context.Context, error) {
	if token == "" {
		made, err := again(ctx, func(ctx context.Context) (*gateway.CreateAccountResponse, error) {
			return b.accounts.CreateAccount(ctx, &gateway.CreateAccountRequest{})
		})
		if err != nil {
			return ctx, err
		}
		token = made.Token
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token), nil
}

// spell is an outcome on one line: its ending and the score of each seat.
func spell(outcome *engine.Outcome) string {
	if outcome == nil {
		return "closed"
	}
	words := []string{strings.ToLower(strings.TrimPrefix(outcome.Ending.String(), "ENDING_"))}
	for _, s := range outcome.Scores {
		words = append(words, fmt.Sprintf("%s %d", s.Seat, s.Score))
	}
	return strings.Join(words, ", ")
}
