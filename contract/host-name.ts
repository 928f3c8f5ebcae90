// Reads the host name from the value of a domain attribute, which is a host name or a URL. The server and the dashboard
// share these rules.

/** Browsers and search engines accept URLs of at least this length. */
const ADDRESS_MAX = 2048
const SCHEME = /^(?:[a-z][a-z\d+.-]*:)?\/\//i
const PATH = /[/?#].*$/s
const PORT = /:\d*$/
/** Characters of email addresses, passwords and IPv6 addresses, and characters that a URL parser removes or decodes. */
const NOT_IN_HOSTS = /[\s\p{Cc}\p{Cf}@%\\:]/u
/** A host name has a dot and does not end with a number, as an IPv4 address does. */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/**
 * The host of a URL in lower-case ASCII: "https://www.Bücher.example/about" → "www.xn--bcher-kva.example".
 * @returns undefined if the text has no host name
 */
export function hostIn(text: string): string | undefined {
  if (text.length > ADDRESS_MAX) return undefined
  const host = text.replace(SCHEME, '').replace(PATH, '').replace(PORT, '').replace(/\.$/, '')
  const name = NOT_IN_HOSTS.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname
  return name !== undefined && HOST_NAME.test(name) ? name : undefined
}

const WWW = /^www\.(?=[^.]+\.)/

/** The host without `www.`. Hosts with the same name belong to the same organization. */
export const hostNameOf = (text: string): string | undefined => hostIn(text)?.replace(WWW, '')
