// The token of a portal link. It is removed from the address before the router, the history or a referrer can store
// it: main.tsx imports this file first.
const PORTAL = '/portal'

/** @param hash of an address: `#token=…` */
export const tokenIn = (hash: string): string | undefined =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') || undefined

function takeFromAddress(): string | undefined {
  const { pathname, search, hash } = globalThis.location
  const token = pathname === PORTAL ? tokenIn(hash) : undefined
  if (token !== undefined) history.replaceState(history.state, '', `${pathname}${search}`)
  return token
}

/** The token of the link that opened this page. */
export const linkToken = takeFromAddress()
