// The cookie of a session, as better-auth names it.
import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = /(?:^|; *)(?:__Secure-)?rapport\.session_token=/

/** Whether a request may be of a signed-in user; whether it is, only the session tells. */
export const mayHoldSession = ({ cookie }: IncomingHttpHeaders): boolean =>
  cookie !== undefined && COOKIE.test(cookie)
