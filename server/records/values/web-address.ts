const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
const INVISIBLE = /[\s\p{Cc}\p{Cf}]/u
/** What browsers and search engines take at least. */
export const WEB_ADDRESS_MAX = 2048

/**
 * The canonical form of an address of a page: with its scheme, the host in lower case, and percent-encoded; without the
 * slash of a bare host. Without a scheme it is https, and the host needs a dot.
 * @returns undefined: no address that begins with http:// or https://, or one with a password
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

/** With a dot. A parser reads "2024" and "3.5" as addresses of IPv4, which people who write a number do not mean. */
const isHostName = (text: string, host: string) =>
  /[^.]\.[^.]/.test(host) && (!/^[\d.]+$/.test(host) || text.startsWith(host))
