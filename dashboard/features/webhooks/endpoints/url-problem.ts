// Checks the address of a receiver before the request.
import { ENDPOINT_URL_MAX } from '../../../../contract/webhook-states.ts'

/** Why the address is invalid; undefined: no problem found here. */
export function urlProblem(text: string): string | undefined {
  const address = text.trim()
  if (address === '') return 'Enter the address of your receiver'
  if (address.length > ENDPOINT_URL_MAX) return `Longer than ${ENDPOINT_URL_MAX} characters`
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return 'Start with https://'
  if (/\s/.test(address) || !URL.canParse(address))
    return 'Enter a complete URL, such as https://example.com/webhooks'
  const { protocol, username, password, hash } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Start with https://'
  if (username || password) return 'Leave out the name and password, and send them as a header instead'
  if (hash) return 'Leave out what follows #: it would not be sent'
  return undefined
}

/** Whether the address is plain HTTP, which only development installations accept. */
export const isPlainHttp = (text: string): boolean => /^http:\/\//i.test(text.trim())
