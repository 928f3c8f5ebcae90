// Sends an event, signed like those of Rapport, to a receiver under development.
export const curlSample = (secret: string): string => `#!/bin/sh
# Signs an event as Rapport does, and sends it to your machine: your receiver should take it.
secret='${secret}'
url="\${RECEIVER_URL:-http://localhost:4000}"
id='0198c0de-0000-7000-8000-000000000001'
timestamp=$(date +%s)
body='{"id":"0198c0de-0000-7000-8000-000000000001","type":"record.created"}'

key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s.%s.%s' "$id" "$timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

curl --fail-with-body --silent --show-error --request POST "$url" \\
  --header 'Content-Type: application/json' \\
  --header "webhook-id: $id" \\
  --header "webhook-timestamp: $timestamp" \\
  --header "webhook-signature: v1,$signature" \\
  --data-raw "$body"
`
