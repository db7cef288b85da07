// Chart renders a chart of Helm as `helm template` does, with Helm's own engine, and prints the objects as
// one stream of YAML. It asks no cluster: chart FOLDER [VALUES]...
package main

import (
	"fmt"
	"log"
	"os"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("chart: ")
	if len(os.Args) < 2 {
		log.Fatal("say FOLDER [VALUES]...")
	}
	chart, err := loader.Load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "bree", Namespace: "bree", Revision: 1, IsInstall: true}
	values, err := chartutil.ToRenderValues(chart, given(os.Args[2:]), release, chartutil.DefaultCapabilities)
	if err != nil {
		log.Fatal(err)
	}
	files, err := engine.Engine{Strict: true}.Render(chart, values)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range sorted(files) {
		if base := path.Base(name); base != "NOTES.txt" && strings.TrimSpace(files[name]) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, files[name])
		}
	}
}

// given is what files of values say, the later ones first.
func given(files []string) chartutil.Values {
	all := chartutil.Values{}
	for _, file := range files {
		values, err := chartutil.ReadValuesFile(file)
		if err != nil {
			log.Fatalf("%s: %v", file, err)
		}
		all = chartutil.CoalesceTables(values, all)
	}
	return all
}

func sorted(files map[string]string) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
