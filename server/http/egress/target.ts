// Checks the form of URLs that users enter.
import { isIP } from 'node:net'

export interface TargetRules {
  allowPrivate: boolean
}

/** The name, or the IP address without the brackets of IPv6. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname

export const isLiteralAddress = (host: string): boolean => isIP(host) !== 0

/** @returns the parsed URL, or a sentence why it is refused. Its name is not resolved here. */
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
