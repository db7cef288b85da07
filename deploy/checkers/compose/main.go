// Compose reads compose files as Docker's own command does, complains about what is wrong with them,
// and prints the project they make as JSON. It needs no engine: compose ENV_FILE FILE...
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("compose: say ENV_FILE FILE...")
	}
	options, err := cli.NewProjectOptions(os.Args[2:], cli.WithEnvFiles(os.Args[1]), cli.WithDotEnv)
	if err != nil {
		log.Fatal("compose: ", err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		log.Fatal("compose: ", err)
	}
	text, err := project.MarshalJSON()
	if err != nil {
		log.Fatal("compose: ", err)
	}
	fmt.Println(string(text))
}
