// The addresses that users name: which may be asked at all.
import { isIP } from 'node:net'

export interface TargetRules {
  allowPrivate: boolean
}

/** A name, or an IP address without the brackets of IPv6. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname

export const isLiteralAddress = (host: string): boolean => isIP(host) !== 0

/** The parsed address, or a sentence why it is not asked. What its name leads to is not looked at yet. */
export function readTarget(text: string, { allowPrivate }: TargetRules): URL | string {
  if (!URL.canParse(text)) return 'this is not a URL: it must look like https://example.com/path'
  const url = new URL(text)
  const { protocol } = url
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:'))
    return allowPrivate ? 'the URL must start with https:// or http://' : 'the URL must start with https://'
  if (url.username !== '' || url.password !== '')
    return 'the URL must not contain a user name or password: send them in a header'
  return url
}
