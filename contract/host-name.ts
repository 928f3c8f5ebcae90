// Reads the host name of what is entered as a domain: a host name, or the address of a page. Server and dashboard share these rules.

/** What browsers and search engines take at least. */
const ADDRESS_MAX = 2048
const SCHEME = /^(?:[a-z][a-z\d+.-]*:)?\/\//i
const PATH = /[/?#].*$/s
const PORT = /:\d*$/
/** Email addresses, passwords, addresses of IPv6, and what a parser would leave out or decode. */
const NOT_IN_HOSTS = /[\s\p{Cc}\p{Cf}@%\\:]/u
/** With a dot; an address of IPv4 ends with a number, which no host name does. */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/**
 * The host of an address, in lower case and in letters of ASCII: "https://www.Bücher.example/about" has
 * "www.xn--bcher-kva.example".
 * @returns undefined: the text has no host name
 */
export function hostIn(text: string): string | undefined {
  if (text.length > ADDRESS_MAX) return undefined
  const host = text.replace(SCHEME, '').replace(PATH, '').replace(PORT, '').replace(/\.$/, '')
  const name = NOT_IN_HOSTS.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname
  return name !== undefined && HOST_NAME.test(name) ? name : undefined
}

const WWW = /^www\.(?=[^.]+\.)/

/** The same without `www.`: hosts with the same name belong to the same organization. */
export const hostNameOf = (text: string): string | undefined => hostIn(text)?.replace(WWW, '')
