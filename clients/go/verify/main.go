// Verify checks the record of a match without knowing its game, as docs/record.md and
// docs/fairness.md say.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const usage = "usage: verify FILE [--commitment HEX] [--nonce SEAT=HEX]... [--head REVISION=HEX]..., " +
	"or verify --cases"

const holds, doesNot, badUsage = 0, 1, 2

var (
	isHash  = regexp.MustCompile("^" + hash + "$").MatchString
	isNonce = regexp.MustCompile("^" + nonce + "$").MatchString
	isPair  = regexp.MustCompile("^" + name + "=" + nonce + "$").MatchString
	isHead  = regexp.MustCompile("^[0-9]{1,9}=" + hash + "$").MatchString
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--cases" {
		os.Exit(cases(os.Stdin, os.Stdout))
	}
	code, said := run(os.Args[1:])
	out := os.Stdout
	if code == badUsage {
		out = os.Stderr
	}
	for _, sentence := range said {
		fmt.Fprintln(out, sentence)
	}
	os.Exit(code)
}

// Run checks what one command line asks for: an exit code, and sentences.
func run(given []string) (int, []string) {
	var files []string
	promised := kept{nonces: map[string][]string{}, heads: map[int][]string{}}
	for i := 0; i < len(given); i++ {
		flag, value := given[i], ""
		if !strings.HasPrefix(flag, "--") {
			files = append(files, flag)
			continue
		}
		if i++; i < len(given) {
			value = given[i]
		}
		before, after, _ := strings.Cut(value, "=")
		switch {
		case flag == "--commitment" && isHash(value) && promised.commitment == "":
			promised.commitment = value
		case flag == "--nonce" && isPair(value):
			promised.nonces[before] = append(promised.nonces[before], after)
		case flag == "--head" && isHead(value):
			revision, _ := strconv.Atoi(before)
			promised.heads[revision] = append(promised.heads[revision], after)
		default:
			return badUsage, []string{fmt.Sprintf("%s %s is not understood; %s", flag, value, usage)}
		}
	}
	if len(files) != 1 {
		return badUsage, []string{usage}
	}
	content, err := contentOf(files[0])
	if err != nil {
		return badUsage, []string{fmt.Sprintf("%s cannot be read: %v", files[0], err)}
	}
	said, err := check(content, promised)
	if err != nil {
		return doesNot, []string{err.Error()}
	}
	return holds, said
}

// ContentOf returns the bytes of a file, but no more of them than tell that it is too large.
func contentOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, largestBytes+1))
}

// Cases reads command lines, with tabs between their words, and answers each with its code and sentences.
func cases(in io.Reader, out io.Writer) int {
	worst := holds
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadString('\n')
		if line = strings.TrimSuffix(line, "\n"); line != "" || err == nil {
			code, said := run(strings.Split(line, "\t"))
			fmt.Fprintf(out, "%d\t%s\n", code, strings.Join(said, "\t"))
			worst = max(worst, code)
		}
		if errors.Is(err, io.EOF) {
			return worst
		} else if err != nil {
			return badUsage
		}
	}
}
