// A receiver in Python 3 without packages.
export const pythonSample = (secret: string): string => `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode("${secret}".removeprefix("whsec_"))


def is_genuine(headers, body: bytes) -> bool:
    timestamp = headers.get("webhook-timestamp", "")
    # An old request may be a recorded one, sent again: five minutes are enough for clocks that differ.
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 5 * 60:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    # While a secret is rotated there are two signatures, with a space between them.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The body exactly as it came: parsed and written again, its signature would no longer fit.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        print(event["type"], event["id"], flush=True)
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.end_headers()


server = HTTPServer(("", int(os.environ.get("PORT", 4000))), Receiver)
print("Listening on port", server.server_port, flush=True)
server.serve_forever()
`
