const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
const INVISIBLE = /[\s\p{Cc}\p{Cf}]/u
/** The length that browsers and search engines accept at least. */
export const WEB_ADDRESS_MAX = 2048

/**
 * The canonical form of a page address: with its scheme, the host in lower case, and percent-encoded; without the slash
 * after a bare host. Without a scheme it is https, and the host needs a dot.
 * @returns undefined for another scheme than http or https, or for an address with a user name or a password
 */
export function webAddressOf(text: string): string | undefined {
  if (text.length > WEB_ADDRESS_MAX || INVISIBLE.test(text)) return undefined
  const url = URL.parse(HAS_SCHEME.test(text) ? text : `https://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (!HAS_SCHEME.test(text) && !isHostName(text, url.hostname)) return undefined
  const canonical = url.pathname + url.search + url.hash === '/' ? url.origin : url.href
  return canonical.length > WEB_ADDRESS_MAX ? undefined : canonical
}

/**
 * Whether the host has a dot. The parser reads "2024" and "3.5" as IPv4 addresses, but people who write a number do
 * not mean an address.
 */
const isHostName = (text: string, host: string) =>
  /[^.]\.[^.]/.test(host) && (!/^[\d.]+$/.test(host) || text.startsWith(host))
