#!/bin/sh
# A validator: accepts a body that contains a field of JSON with a value, such as "status": "up".
#
# It searches the text and does not read JSON, so a field of an inner object counts, too.

# value NAME TEXT: the text of a member. Quotes inside JSON texts follow a backslash, so none looks like a member.
value() { printf %s "$2" | sed -n "s/.*\"$1\": *\"\([^\"\\\\]*\)\".*/\1/p"; }

printf '%s%s\n' '{"hello":1,"kind":"validator","name":"health","examples":[{"options":{"field":"status","expected":"up"},' \
  '"accepts":{"status":200,"text":"{\"status\": \"up\"}"},"rejects":{"status":200,"text":"{\"status\": \"down\"}"}}]}'

while IFS= read -r line; do
  # Other messages, such as cancel, need no answer.
  case $line in *'"response":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%,*}
  options=${line%%'"response":'*}
  field=$(value field "$options")
  expected=$(value expected "$options")
  : "${field:=status}" "${expected:=up}"
  body=$(value bodyBase64 "${line#*'"response":'}" | base64 -d | tr -d ' \t\r\n\0')
  case $body in
  *"\"$field\":\"$expected\""*) printf '{"id":%s,"accepted":true}\n' "$id" ;;
  *"\"$field\":"*)
    printf '{"id":%s,"accepted":false,"reason":"health.down","detail":"%s is not %s"}\n' "$id" "$field" "$expected"
    ;;
  *)
    printf '{"id":%s,"accepted":false,"reason":"health.unreadable","detail":"there is no %s in the body"}\n' \
      "$id" "$field"
    ;;
  esac
done
exit 0
