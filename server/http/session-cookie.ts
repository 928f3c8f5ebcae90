// The session cookie of better-auth.
import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = /(?:^|; *)(?:__Secure-)?rapport\.session_token=/

/** Whether a request may come from a signed-in user. Only a lookup of the session is certain. */
export const mayHoldSession = ({ cookie }: IncomingHttpHeaders): boolean =>
  cookie !== undefined && COOKIE.test(cookie)
