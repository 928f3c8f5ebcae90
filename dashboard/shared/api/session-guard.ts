// What happens to requests once the session has ended: they wait until the user has signed in again, then go on.
//
// Only where something asks the user to sign in (`guard`): elsewhere a refusal stays one. A request that was refused
// for want of a session did nothing, so it is sent again. While it waits nothing else is sent, so what polls is silent.

interface End {
  /** Settles when requests go on. */
  over: Promise<void>
  resume(): void
}

let guards = 0
/** Settles when the last request that replaces the session is answered, or has failed. */
let renewal: Promise<unknown> | undefined
let renewals = 0
let end: End | undefined
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** Whether the session has ended and the user is asked to sign in again. */
export const hasEnded = (): boolean => end !== undefined

/** @returns a function that stops listening */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** There is a session again, or nothing left to wait for. */
export function resume(): void {
  end?.resume()
  end = undefined
  notify()
}

/** From now on the user is asked to sign in again. @returns a function that ends that */
export function guard(): () => void {
  guards++
  return () => {
    guards--
    if (guards === 0) resume()
  }
}

/** Settles immediately while there is a session. */
export const whenSignedIn = (): Promise<void> => end?.over ?? Promise.resolve()

/** @returns whether the user is asked to sign in again, so that waiting makes sense */
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
 * Sends a request that replaces the session, such as a new password. Until it is answered the browser sends the old
 * cookie, which the service refuses already.
 */
export function renewing(send: () => Promise<Response>): Promise<Response> {
  const answered = send().then((response) => {
    if (response.ok) renewals++
    return response
  })
  renewal = answered.catch(() => undefined)
  return answered
}

/** Called before a request. @returns whether the session was replaced since then, for a request that was refused */
export function watchRenewals(): () => Promise<boolean> {
  const before = renewals
  return async () => {
    await renewal
    return renewals > before
  }
}
