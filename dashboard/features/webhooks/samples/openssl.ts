// Verifies a delivery manually, in any POSIX shell.
export const opensslSample = (secret: string): string => `#!/bin/sh
# Save the exact body of a delivery as body.json, and fill in three of its request headers.
# The time is not looked at here: a receiver refuses what is older than five minutes.
secret='${secret}'
id="\${WEBHOOK_ID:-the webhook-id}"
timestamp="\${WEBHOOK_TIMESTAMP:-the webhook-timestamp}"
signatures="\${WEBHOOK_SIGNATURE:-the webhook-signature}"

key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
expected=$({ printf '%s.%s.' "$id" "$timestamp"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

case " $signatures " in
  *" v1,$expected "*) echo 'Genuine' ;;
  *) echo 'Not genuine'; exit 1 ;;
esac
`
