// How host names are compared: in the letters of their language, so that parts of them are found as people write them.
import { domainToUnicode } from 'node:url'
import { hostNameOf } from '../../../contract/host-name.ts'

/** Decodes punycode to letters. */
const inLetters = (host: string): string => (host.includes('xn--') ? domainToUnicode(host) || host : host)

/** "https://www.Acme.com/about" and "acme.com" are both "acme.com". @returns undefined: the text has no host name */
export function comparedHost(text: string): string | undefined {
  const host = hostNameOf(text)
  return host === undefined ? undefined : inLetters(host)
}

const START = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:www\.)?/
const PATH = /[/?#].*$/s
const PORT = /:\d*$/

/** The part of an address that a host name can contain; the text itself if there is none: no host name contains it. */
export function partOfHost(text: string): string {
  const part = text.trim().toLowerCase().replace(START, '').replace(PATH, '').replace(PORT, '')
  return part === '' ? text : inLetters(part)
}
