// Matches each line of the standard input, an expression and a subject in hexadecimal, as GoPatterns/Main.swift does.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func result(expression string, subject []byte) string {
	pattern, err := regexp.Compile(expression)
	if err != nil {
		return "error"
	}
	match := pattern.FindSubmatch(subject)
	if match == nil {
		return "none"
	}
	groups := make([]string, len(match))
	for i, group := range match {
		groups[i] = "-"
		if group != nil {
			groups[i] = "=" + hex.EncodeToString(group)
		}
	}
	return strings.Join(groups, " ")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		expression, _ := hex.DecodeString(fields[0])
		subject, _ := hex.DecodeString(fields[1])
		fmt.Fprintln(output, result(string(expression), subject))
	}
}
