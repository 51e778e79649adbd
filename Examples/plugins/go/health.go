// A validator: accepts a JSON document in which a field has a value, such as {"status": "up"}.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

const hello = `{"hello":1,"kind":"validator","name":"health","examples":[{"options":{"field":"status","expected":"up"},` +
	`"accepts":{"status":200,"text":"{\"status\": \"up\"}"},"rejects":{"status":200,"text":"{\"status\": \"down\"}"}}]}`

type options struct{ Field, Expected string }

type message struct {
	ID       int
	Options  options
	Response *struct{ BodyBase64 []byte }
}

type answer struct {
	ID       int    `json:"id"`
	Accepted bool   `json:"accepted"`
	Reason   string `json:"reason,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

func judge(body []byte, options options) answer {
	var document map[string]any
	err := json.Unmarshal(body, &document)
	found, isThere := document[options.Field]
	switch {
	case err != nil || !isThere:
		return answer{Reason: "health.unreadable", Detail: fmt.Sprintf("there is no %s in the body", options.Field)}
	case found != any(options.Expected):
		return answer{Reason: "health.down", Detail: fmt.Sprintf("%s is %.100q", options.Field, fmt.Sprint(found))}
	}
	return answer{Accepted: true}
}

func main() {
	fmt.Println(hello)
	messages, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		message := message{Options: options{"status", "up"}}
		if messages.Decode(&message) != nil {
			return // The end of the input.
		}
		// Other messages, such as cancel, need no answer.
		if message.Response != nil {
			answer := judge(message.Response.BodyBase64, message.Options)
			answer.ID = message.ID
			_ = answers.Encode(answer)
		}
	}
}
