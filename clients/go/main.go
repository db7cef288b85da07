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

	pb "breebot/gen/bree/gateway/v1"
)

// setting is a flag whose default comes from the environment.
func setting(name, otherwise, help string) *string {
	variable := "BREE_" + strings.ToUpper(name)
	return flag.String(name, cmp.Or(os.Getenv(variable), otherwise), help+"; or "+variable)
}

func check(err error) {
	if err != nil {
		log.Fatal("breebot: ", err)
	}
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
	if (*match == "") == (*game == "") || (*match == "") != (*seat == "") || (*game == "") != (*against == "") {
		log.Fatal("breebot: say --match ID --seat NAME, or --new GAME --against LEVEL")
	}

	trust, err := insecure.NewCredentials(), error(nil)
	if *authority != "" {
		trust, err = credentials.NewClientTLSFromFile(*authority, "")
		check(err)
	}
	channel, err := grpc.NewClient(*gateway,
		grpc.WithTransportCredentials(trust), grpc.WithUnaryInterceptor(again))
	check(err)
	b := newBot(channel, *seed)
	ctx, err := b.signIn(context.Background(), *token)
	check(err)
	if *game != "" {
		*match, *seat, err = b.open(ctx, *game, *against, *options)
	} else {
		_, err = b.JoinMatch(ctx, &pb.JoinMatchRequest{Match: *match, Seat: *seat})
	}
	check(err)
	fmt.Println("playing", *match, "at", *seat)
	outcome, err := b.play(ctx, *match, *seat)
	check(err)
	fmt.Println(*match, "is over:", outcome)
}
