// Requests after the end of the session: they wait until the user has signed in again, then they continue. They wait
// only while `guard` is active, which lets the user sign in again. Elsewhere the refusal is an error. A request that
// was refused for lack of a session had no effect, so it is sent again. Other requests wait too, so polling stops.

interface End {
  /** Settles when requests continue. */
  over: Promise<void>
  resume(): void
}

let guards = 0
/** Settles when the last request that replaces the session has a response or has failed. */
let renewal: Promise<unknown> | undefined
let renewals = 0
let end: End | undefined
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** Whether the session has ended and the dialog to sign in again is shown. */
export const hasEnded = (): boolean => end !== undefined

/** @returns a function that stops listening */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Continues the waiting requests: there is a session again, or no dialog waits for it. */
export function resume(): void {
  end?.resume()
  end = undefined
  notify()
}

/** Lets the user sign in again on this page. @returns a function that stops this */
export function guard(): () => void {
  guards++
  return () => {
    guards--
    if (guards === 0) resume()
  }
}

/** Settles immediately while there is a session. */
export const whenSignedIn = (): Promise<void> => end?.over ?? Promise.resolve()

/** @returns whether the user can sign in again, so that the request should wait */
export function sessionEnded(): boolean {
  if (guards === 0) return false
  if (!end) {
    const { promise, resolve } = Promise.withResolvers<void>()
    end = { over: promise, resume: resolve }
    notify()
  }
  return true
}

/**
 * Sends a request that replaces the session, such as a new password. Until the response arrives, the browser sends the
 * old cookie, which the service no longer accepts.
 */
export function renewing(send: () => Promise<Response>): Promise<Response> {
  const answered = send().then((response) => {
    if (response.ok) renewals++
    return response
  })
  renewal = answered.catch(() => undefined)
  return answered
}

/**
 * Called before a request. @returns a function that says whether the session was replaced since, for a refused request
 */
export function watchRenewals(): () => Promise<boolean> {
  const before = renewals
  return async () => {
    await renewal
    return renewals > before
  }
}
