// How many streams may be open at once: of one user, of one organization, of the process.
import { AppError } from '../errors.ts'
import type { StreamOwner } from './stream.ts'

export interface StreamBounds {
  user: number
  organization: number
  process: number
}

const RETRY_AFTER_SECONDS = 30

interface Bound {
  who: string
  limit: number
  setting: string
  code: 'rate_limit_exceeded' | 'unavailable'
}

function refusal({ who, limit, setting, code }: Bound): AppError {
  const message = `${who} ${limit} streams of live updates open, the maximum: close some, or ask the operator to raise ${setting}`
  return new AppError(code, message, { retryAfter: RETRY_AFTER_SECONDS, bound: setting })
}

/**
 * @param open the owners of all streams
 * @throws AppError 429 rate_limit_exceeded, 503 unavailable: that of the process
 */
export function requireRoom(bounds: StreamBounds, open: readonly StreamOwner[], owner: StreamOwner): void {
  const ofOrganization = open.filter(({ org }) => org === owner.org)
  const ofUser = open.filter(({ userId }) => userId === owner.userId)
  const code = 'rate_limit_exceeded'
  if (ofUser.length >= bounds.user)
    throw refusal({ who: 'You have', limit: bounds.user, setting: 'LIVE_STREAMS_PER_USER', code })
  if (ofOrganization.length >= bounds.organization) {
    const setting = 'LIVE_STREAMS_PER_ORGANIZATION'
    throw refusal({ who: 'Your organization has', limit: bounds.organization, setting, code })
  }
  if (open.length >= bounds.process) {
    const limit = bounds.process
    throw refusal({ who: 'The service has', limit, setting: 'LIVE_STREAMS', code: 'unavailable' })
  }
}
